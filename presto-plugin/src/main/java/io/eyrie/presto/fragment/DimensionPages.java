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
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.function.Function;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/**
 * Reads all splits of a dimension in their order. One thread at a time takes the pages. Other threads may read ahead: some pages of the split whose pages
 * are taken, and of the next ones. What they have not begun to read when it is needed is read by the thread that takes the pages.
 */
final class DimensionPages
        implements Closeable
{
    // each holds pages, and the memory of its reader
    private static final int MOST_OPEN = 8;
    // of all queries; a query whose reads wait for a thread reads on its own
    private static final int AHEAD_THREADS = 8;
    // of all queries
    private static final int PART_OF_HEAP = 32;
    // of a split
    private static final long MOST_AHEAD_BYTES = 8L << 20;
    // a reader makes pages of about 10 kB, each in less time than a thread needs to be woken
    private static final long WAKE_BYTES = 256L << 10;
    /** Reads splits ahead, for all catalogs. */
    static final Optional<ReadAhead> AHEAD = Optional.of(new ReadAhead(pool(), new Semaphore(maxKibibytes())));
    private static final LimitedLog log = new LimitedLog(DimensionPages.class, Level.WARNING);

    private final Optional<ReadAhead> ahead;
    private final Function<EyrieSplit, ConnectorPageSource> opener;
    private final Consumer<Page> observer;
    @GuardedBy("this")
    private final Iterator<EyrieSplit> splits;
    // the first is the one whose pages are taken
    @GuardedBy("this")
    private final Queue<OpenSplit> open = new ArrayDeque<>();

    /**
     * What several dimensions share to read ahead.
     *
     * @param kibibytes the memory for pages. If there is none left, one page of each split is read ahead
     */
    record ReadAhead(Executor threads, Semaphore kibibytes)
    {
        ReadAhead
        {
            requireNonNull(threads, "threads is null");
            requireNonNull(kibibytes, "kibibytes is null");
        }
    }

    private static int maxKibibytes()
    {
        return (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / 1024 / PART_OF_HEAP);
    }

    private static ThreadPoolExecutor pool()
    {
        ThreadPoolExecutor pool = Threads.SYSTEM.pool("eyrie-dimension-read", AHEAD_THREADS, AHEAD_THREADS, new LinkedBlockingQueue<>());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * @param ahead if empty, nothing is read ahead
     * @param observer receives each page from the thread that reads it, before it is returned. Thread-safe
     */
    DimensionPages(List<EyrieSplit> splits, Optional<ReadAhead> ahead, Function<EyrieSplit, ConnectorPageSource> opener, Consumer<Page> observer)
    {
        this.ahead = ahead;
        this.observer = observer;
        this.splits = splits.iterator();
        this.opener = opener;
    }

    /** A page that was read ahead. */
    private record AheadPage(Page page, long bytes, int kibibytes)
    {}

    /** A split being read. One thread at a time uses its source. */
    private final class OpenSplit
    {
        private final EyrieSplit split;
        @GuardedBy("this")
        private final Queue<AheadPage> pages = new ArrayDeque<>();
        @GuardedBy("this")
        private long pageBytes;
        @GuardedBy("this")
        private boolean submitted;
        @GuardedBy("this")
        private boolean reading;
        @GuardedBy("this")
        private boolean finished;
        @GuardedBy("this")
        private boolean closed;
        @GuardedBy("this")
        private long sourceBytes;
        @GuardedBy("this")
        private CompletableFuture<Void> progress = new CompletableFuture<>();
        @GuardedBy("this")
        private @Nullable Throwable failure;
        // used by the thread that set "reading"; by others while none is reading
        private @Nullable ConnectorPageSource source;

        OpenSplit(EyrieSplit split)
        {
            this.split = split;
        }

        /** Lets another thread read, unless enough was read. */
        void readAhead()
        {
            synchronized (this) {
                if (ahead.isEmpty() || submitted || reading || finished || closed || failure != null || pageBytes > MOST_AHEAD_BYTES / 2) {
                    return;
                }
                submitted = true;
            }
            try {
                ahead.orElseThrow().threads().execute(this::read);
            }
            catch (RejectedExecutionException | OutOfMemoryError e) {
                synchronized (this) {
                    submitted = false;
                }
                log.log("A split of a dimension is not read ahead: no thread could be started", e);
            }
        }

        private void read()
        {
            synchronized (this) {
                submitted = false;
            }
            if (!claim()) {
                return;
            }
            try {
                ConnectorPageSource current = source();
                boolean more = true;
                // a source that filters or aggregates may read its whole split before it has a page
                while (more && !current.isFinished() && current.isBlocked().isDone()) {
                    Page page = current.getNextPage();
                    // readers of ORC and Parquet fetch a column when it is first used
                    more = page == null ? !isClosed() : add(page.getLoadedPage(), current.getSystemMemoryUsage());
                }
            }
            catch (RuntimeException | Error e) {
                synchronized (this) {
                    failure = e;
                }
            }
            finally {
                release();
            }
        }

        /** Keeps a page that was read ahead. Returns whether to read another one. */
        private boolean add(Page page, long readerBytes)
        {
            observer.accept(page);
            long bytes = page.getRetainedSizeInBytes();
            int kibibytes = toIntExact(bytes / 1024 + 1);
            CompletableFuture<Void> woken;
            boolean more;
            synchronized (this) {
                if (closed) {
                    return false;
                }
                more = ahead.orElseThrow().kibibytes().tryAcquire(kibibytes);
                pages.add(new AheadPage(page, bytes, more ? kibibytes : 0));
                pageBytes += bytes;
                sourceBytes = readerBytes;
                more &= pageBytes < MOST_AHEAD_BYTES;
                if (pageBytes < WAKE_BYTES) {
                    return more;
                }
                woken = progress;
            }
            woken.complete(null);
            return more;
        }

        private synchronized boolean claim()
        {
            if (reading || finished || closed || failure != null) {
                return false;
            }
            reading = true;
            return true;
        }

        private void release()
        {
            boolean atEnd = false;
            long readerBytes = 0;
            try {
                if (source != null) {
                    atEnd = source.isBlocked().isDone() && source.isFinished();
                    readerBytes = source.getSystemMemoryUsage();
                }
            }
            finally {
                CompletableFuture<Void> woken;
                boolean ended;
                synchronized (this) {
                    reading = false;
                    finished = atEnd;
                    sourceBytes = readerBytes;
                    ended = closed;
                    woken = progress;
                }
                woken.complete(null);
                if (ended) {
                    closeSource();
                }
            }
        }

        private synchronized boolean isClosed()
        {
            return closed;
        }

        private ConnectorPageSource source()
        {
            ConnectorPageSource current = source == null ? opener.apply(split) : source;
            source = current;
            return current;
        }

        synchronized CompletableFuture<?> blocked()
        {
            if (!pages.isEmpty() || failure != null) {
                return ConnectorPageSource.NOT_BLOCKED;
            }
            if (reading) {
                if (progress.isDone()) {
                    progress = new CompletableFuture<>();
                }
                return progress;
            }
            return source == null ? ConnectorPageSource.NOT_BLOCKED : source.isBlocked();
        }

        synchronized boolean isFinished()
        {
            return finished && !reading && pages.isEmpty() && failure == null;
        }

        @Nullable
        Page next()
        {
            Page page = take();
            if (page == null && claim()) {
                try {
                    ConnectorPageSource current = source();
                    page = current.isFinished() || !current.isBlocked().isDone() ? null : current.getNextPage();
                    // columns cannot be fetched once another thread has read on
                    page = page == null || ahead.isEmpty() ? page : page.getLoadedPage();
                    if (page != null) {
                        observer.accept(page);
                    }
                }
                finally {
                    release();
                }
            }
            readAhead();
            return page;
        }

        private synchronized @Nullable Page take()
        {
            AheadPage next = pages.poll();
            if (next != null) {
                pageBytes -= next.bytes();
                ahead.orElseThrow().kibibytes().release(next.kibibytes());
                return next.page();
            }
            if (failure != null) {
                throwIfUnchecked(failure);
            }
            return null;
        }

        synchronized long retainedBytes()
        {
            return pageBytes + sourceBytes;
        }

        /** Closes the split as soon as no other thread reads it. */
        void close()
        {
            synchronized (this) {
                closed = true;
                pages.forEach(page -> ahead.orElseThrow().kibibytes().release(page.kibibytes()));
                pages.clear();
                pageBytes = 0;
                if (reading) {
                    return;
                }
            }
            closeSource();
        }

        private void closeSource()
        {
            ConnectorPageSource ended = source;
            source = null;
            if (ended != null) {
                try {
                    ended.close();
                }
                catch (IOException | RuntimeException e) {
                    log.log("A split of a dimension could not be closed", e);
                }
            }
        }
    }

    /** Lets another thread begin to read the first split, unless one was begun. */
    synchronized void readAhead()
    {
        if (ahead.isPresent() && open.isEmpty()) {
            open(1);
        }
    }

    private synchronized @Nullable OpenSplit current()
    {
        while (!open.isEmpty() && open.element().isFinished()) {
            open.remove().close();
        }
        open(ahead.isPresent() ? MOST_OPEN : 1);
        return open.peek();
    }

    @GuardedBy("this")
    private void open(int most)
    {
        while (splits.hasNext() && open.size() < most) {
            OpenSplit next = new OpenSplit(splits.next());
            open.add(next);
            next.readAhead();
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
        return current == null || !current.blocked().isDone() ? null : current.next();
    }

    synchronized long retainedBytes()
    {
        return open.stream().mapToLong(OpenSplit::retainedBytes).sum();
    }

    @Override
    public synchronized void close()
    {
        while (!open.isEmpty()) {
            open.remove().close();
        }
    }
}
