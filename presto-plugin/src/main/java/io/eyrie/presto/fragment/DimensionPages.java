// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.spi.ConnectorPageSource;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.eyrie.presto.handle.EyrieSplit;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads all splits of a dimension in their order. One thread at a time takes the pages. Meanwhile, other threads may read the first pages of the next
 * splits, each of which costs several requests if it is not cached.
 */
final class DimensionPages
        implements Closeable
{
    // each holds a page, and the memory of its reader
    private static final int MOST_OPEN = 8;

    private final Function<EyrieSplit, ConnectorPageSource> opener;
    private final Consumer<Page> observer;
    @GuardedBy("this")
    private final Iterator<EyrieSplit> splits;
    // the first is the one whose pages are taken
    @GuardedBy("this")
    private final Queue<OpenSplit> open = new ArrayDeque<>();
    @GuardedBy("this")
    private boolean closed;

    /** @param observer receives each page before it is returned */
    DimensionPages(List<EyrieSplit> splits, Function<EyrieSplit, ConnectorPageSource> opener, Consumer<Page> observer)
    {
        this.observer = observer;
        this.splits = splits.iterator();
        this.opener = opener;
    }

    /** A split being read: by the thread that created it until {@code begun}, then by the thread that takes the pages. */
    private final class OpenSplit
    {
        private final EyrieSplit split;
        private final CompletableFuture<Void> begun = new CompletableFuture<>();
        private @Nullable ConnectorPageSource source;
        private @Nullable Page first;

        OpenSplit(EyrieSplit split)
        {
            this.split = split;
        }

        void begin()
        {
            try {
                ConnectorPageSource opened = opener.apply(split);
                source = opened;
                if (!opened.isFinished() && opened.isBlocked().isDone()) {
                    first = opened.getNextPage();
                }
            }
            catch (RuntimeException e) {
                // the thread that takes the pages tries again, and reports the failure
                close();
            }
            finally {
                begun.complete(null);
            }
        }

        CompletableFuture<?> blocked()
        {
            if (!begun.isDone()) {
                return begun;
            }
            return source == null || first != null ? ConnectorPageSource.NOT_BLOCKED : source.isBlocked();
        }

        boolean isFinished()
        {
            return blocked().isDone() && first == null && source != null && source.isFinished();
        }

        @Nullable
        Page next()
        {
            ConnectorPageSource current = source == null ? opener.apply(split) : source;
            source = current;
            Page page = first;
            first = null;
            return page != null || current.isFinished() || !current.isBlocked().isDone() ? page : current.getNextPage();
        }

        long retainedBytes()
        {
            return !begun.isDone() || source == null ? 0 : source.getSystemMemoryUsage() + (first == null ? 0 : first.getRetainedSizeInBytes());
        }

        void close()
        {
            ConnectorPageSource ended = source;
            source = null;
            first = null;
            if (ended != null) {
                try {
                    ended.close();
                }
                catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Reads the first page of the next split that is not open. Returns false if there is none, or enough are open. Thread-safe. */
    boolean openAhead()
    {
        OpenSplit next;
        synchronized (this) {
            if (closed || open.size() >= MOST_OPEN || !splits.hasNext()) {
                return false;
            }
            next = new OpenSplit(splits.next());
            open.add(next);
        }
        next.begin();
        return true;
    }

    private synchronized @Nullable OpenSplit current()
    {
        while (!open.isEmpty() && open.element().isFinished()) {
            open.remove().close();
        }
        if (open.isEmpty() && splits.hasNext()) {
            OpenSplit next = new OpenSplit(splits.next());
            next.begun.complete(null);
            open.add(next);
        }
        return open.peek();
    }

    /** Returns what the next page waits for. */
    CompletableFuture<?> blocked()
    {
        OpenSplit current = current();
        return current == null ? ConnectorPageSource.NOT_BLOCKED : current.blocked();
    }

    boolean isFinished()
    {
        return current() == null;
    }

    /** Returns the next page, or null if there is none yet. */
    @Nullable
    Page next()
    {
        OpenSplit current = current();
        Page page = current == null || !current.blocked().isDone() ? null : current.next();
        if (page != null) {
            observer.accept(page);
        }
        return page;
    }

    synchronized long retainedBytes()
    {
        return open.stream().mapToLong(OpenSplit::retainedBytes).sum();
    }

    @Override
    public synchronized void close()
    {
        closed = true;
        while (!open.isEmpty()) {
            OpenSplit ended = open.remove();
            CompletableFuture<Void> unused = ended.begun.thenRun(ended::close);
        }
    }
}
