// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.spi.ConnectorPageSource;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.thread.Threads;
import io.eyrie.presto.handle.EyrieSplit;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads all splits of a dimension in their order. One thread at a time takes the pages. Other threads may read the first pages of the next splits, each of
 * which costs several requests if it is not cached. A split that they have not begun when its pages are needed is read by the thread that takes them.
 */
final class DimensionPages
        implements Closeable
{
    // each holds a page, and the memory of its reader
    private static final int MOST_OPEN = 8;
    // of all queries; a query whose reads wait for a thread reads on its own
    private static final int AHEAD_THREADS = 8;
    /** Reads splits ahead, for all catalogs. */
    static final Optional<Executor> AHEAD = Optional.of(pool());
    private static final LimitedLog log = new LimitedLog(DimensionPages.class, Level.WARNING);

    private final Optional<Executor> ahead;
    private final Function<EyrieSplit, ConnectorPageSource> opener;
    private final Consumer<Page> observer;
    @GuardedBy("this")
    private final Iterator<EyrieSplit> splits;
    // the first is the one whose pages are taken
    @GuardedBy("this")
    private final Queue<OpenSplit> open = new ArrayDeque<>();

    private static Executor pool()
    {
        ThreadPoolExecutor pool = Threads.SYSTEM.pool("eyrie-dimension-read", AHEAD_THREADS, AHEAD_THREADS, new LinkedBlockingQueue<>());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * @param ahead reads the first pages of the next splits; if empty, nothing is read ahead
     * @param observer receives each page before it is returned
     */
    DimensionPages(List<EyrieSplit> splits, Optional<Executor> ahead, Function<EyrieSplit, ConnectorPageSource> opener, Consumer<Page> observer)
    {
        this.ahead = ahead;
        this.observer = observer;
        this.splits = splits.iterator();
        this.opener = opener;
    }

    /** A split being read: by the thread that claimed it until {@code begun}, then by the thread that takes the pages. */
    private final class OpenSplit
    {
        private final EyrieSplit split;
        private final AtomicBoolean claimed = new AtomicBoolean();
        private final CompletableFuture<Void> begun = new CompletableFuture<>();
        private @Nullable ConnectorPageSource source;
        private @Nullable Page first;
        private volatile boolean abandoned;

        OpenSplit(EyrieSplit split)
        {
            this.split = split;
        }

        /** Lets the caller read the split, unless another thread has begun. */
        void take()
        {
            if (claimed.compareAndSet(false, true)) {
                begun.complete(null);
            }
        }

        void begin()
        {
            if (!claimed.compareAndSet(false, true)) {
                return;
            }
            try {
                ConnectorPageSource opened = opener.apply(split);
                source = opened;
                // a source that filters or aggregates may read its whole split before it has a page
                while (first == null && !abandoned && !opened.isFinished() && opened.isBlocked().isDone()) {
                    Page page = opened.getNextPage();
                    // readers of ORC and Parquet fetch a column when it is first used
                    first = page == null ? null : page.getLoadedPage();
                }
            }
            catch (RuntimeException | Error e) {
                // the source may have lost a page. The thread that takes the pages opens the split again, and reports the failure
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

        /** Closes the split as soon as no other thread reads it. */
        void abandon()
        {
            abandoned = true;
            take();
            CompletableFuture<Void> unused = begun.thenRun(this::close);
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

    /** Lets another thread begin to read the first split, unless one was begun. */
    synchronized void readAhead()
    {
        if (ahead.isPresent() && open.isEmpty() && splits.hasNext()) {
            OpenSplit first = new OpenSplit(splits.next());
            open.add(first);
            begin(first);
        }
    }

    private synchronized @Nullable OpenSplit current()
    {
        while (!open.isEmpty() && open.element().isFinished()) {
            open.remove().close();
        }
        while (splits.hasNext() && open.size() < (ahead.isPresent() ? MOST_OPEN : 1)) {
            OpenSplit next = new OpenSplit(splits.next());
            open.add(next);
            if (open.size() > 1) {
                begin(next);
            }
        }
        OpenSplit current = open.peek();
        if (current != null) {
            current.take();
        }
        return current;
    }

    private void begin(OpenSplit next)
    {
        try {
            ahead.orElseThrow().execute(next::begin);
        }
        catch (RejectedExecutionException | OutOfMemoryError e) {
            log.log("A split of a dimension is not read ahead: no thread could be started", e);
        }
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
        while (!open.isEmpty()) {
            open.remove().abandon();
        }
    }
}
