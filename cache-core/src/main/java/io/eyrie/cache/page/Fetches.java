// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.GranuleRange;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.WriteOutcome;
import io.eyrie.cache.thread.Threads;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The granules in flight from the remote store to the disk, and the threads that fetch them. Each granule belongs to one fetch only. Thread-safe.
 */
final class Fetches
{
    /*
     * Claim       A granule belongs to a fetch from the moment that a reader plans the fetch until the granule is written, or is dropped unwritten.
     *             A granule in flight or written is therefore always in a fetch or in the store: a reader that finds it in neither, in one step,
     *             is the only one to plan it.
     * Lock        the lock of the map's entry for one file; hits never take it, and it is not held during I/O
     * Memory      reserved by the plan, before anything is requested; returned when the fetch is written, has failed or will not run
     * Pool        threads without a queue: a fetch runs at once or not at all
     */
    private final CacheCounters counters;
    private final PageWriter writer;
    private final int pageSizeBytes;
    private final long memoryBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ThreadPoolExecutor threads;
    // by the key of the file's page 0, which identifies store, principal, path and version
    private final ConcurrentHashMap<PageKey, FileFetches> files = new ConcurrentHashMap<>();

    Fetches(PageWriter writer, CacheCounters counters, PageCacheConfig config, Threads of)
    {
        this.writer = writer;
        this.counters = counters;
        pageSizeBytes = config.pageSizeBytes();
        memoryBytes = config.fetchMemoryBytes();
        threads = of.pool("eyrie-page-fetch", 0, config.fetchThreads(), new SynchronousQueue<>());
    }

    /** Plans new fetches given those in flight for one file, in one atomic step. The caller starts or abandons each new fetch. */
    FetchPlan plan(PageKey firstKey, Function<FileFetches, FetchPlan> planning)
    {
        List<FetchPlan> plans = new ArrayList<>(1);
        files.compute(firstKey, (key, existing) -> {
            FileFetches inFlight = existing == null ? new FileFetches() : existing;
            plans.add(planning.apply(inFlight));
            return inFlight.isEmpty() ? null : inFlight;
        });
        return plans.get(0);
    }

    /** Reserves memory for a fetch to be planned; returns false, and counts a rejection, if there is not enough. */
    boolean reserve(int bytes)
    {
        if (usedBytes.addAndGet(bytes) <= memoryBytes) {
            return true;
        }
        giveBack(bytes);
        counters.fetchMemoryRejections.increment();
        return false;
    }

    /**
     * Reserves memory for a fetch that no reader waits for. All reservations together must stay within half of the memory, to leave the rest to
     * other readers.
     */
    boolean reserveSpare(int bytes)
    {
        if (usedBytes.addAndGet(bytes) <= memoryBytes / 2) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    /** Returns memory for which no fetch was planned. */
    void giveBack(int bytes)
    {
        usedBytes.addAndGet(-bytes);
    }

    /** The reserved memory. */
    long usedBytes()
    {
        return usedBytes.get();
    }

    /** Whether at most half of the threads are busy. */
    boolean hasIdleThreads()
    {
        return threads.getActiveCount() <= threads.getMaximumPoolSize() / 2;
    }

    /** Runs planned fetches; abandons those for which no thread is free. */
    void start(List<Fetch> planned, SourceHandle source)
    {
        int started = 0;
        try {
            for (Fetch fetch : planned) {
                started++;
                start(fetch, source);
            }
        }
        finally {
            planned.subList(started, planned.size()).forEach(this::abandon);
        }
    }

    /** Runs a fetch, or abandons it if all threads are busy. */
    private void start(Fetch fetch, SourceHandle source)
    {
        if (!source.acquire()) {
            abandon(fetch);
            return;
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        boolean started = false;
        try {
            threads.execute(() -> {
                Thread.currentThread().setContextClassLoader(loader);
                run(fetch, source);
            });
            started = true;
        }
        catch (RejectedExecutionException | OutOfMemoryError e) {
            // no thread is free, or none can be created
            counters.fetchRejections.increment();
        }
        finally {
            if (!started) {
                source.release();
                abandon(fetch);
            }
        }
    }

    /** Ends a fetch that will not run. */
    void abandon(Fetch fetch)
    {
        landed(fetch, false);
        giveBack(fetch.lengthBytes());
        fetch.abandoned();
    }

    private void run(Fetch fetch, SourceHandle source)
    {
        boolean arrived = false;
        try {
            arrived = read(fetch, source);
        }
        finally {
            source.release();
            Thread.currentThread().setContextClassLoader(null);
        }
        if (arrived) {
            landed(fetch, true);
            boolean handedOver = false;
            try {
                keep(fetch);
                handedOver = true;
            }
            finally {
                if (!handedOver) {
                    release(fetch);
                }
            }
        }
    }

    /** Releases the bytes of a fetch, which have been written or will not be. */
    private void release(Fetch fetch)
    {
        update(fetch.firstKey(), inFlight -> inFlight.remove(fetch));
        giveBack(fetch.lengthBytes());
    }

    private boolean read(Fetch fetch, SourceHandle source)
    {
        byte[] data;
        try {
            data = new byte[fetch.lengthBytes()];
        }
        catch (OutOfMemoryError e) {
            // a reader needs less memory
            abandon(fetch);
            return false;
        }
        try {
            counters.remoteRead(data.length);
            source.get().readFully(fetch.position(), data, 0, data.length);
        }
        catch (Throwable e) {
            counters.remoteReadFailures.increment();
            landed(fetch, false);
            giveBack(fetch.lengthBytes());
            fetch.failed(e);
            return false;
        }
        fetch.arrived(data);
        return true;
    }

    private void keep(Fetch fetch)
    {
        List<GranuleRange> ranges = new ArrayList<>();
        for (long at = fetch.position(); at < fetch.end();) {
            long page = at / pageSizeBytes;
            int offsetInPage = (int) (at % pageSizeBytes);
            int length = (int) Math.min(pageSizeBytes - offsetInPage, fetch.end() - at);
            int pageLength = (int) Math.min(pageSizeBytes, fetch.fileBytes() - page * pageSizeBytes);
            ranges.add(new GranuleRange(fetch.firstKey().page(page), pageLength, offsetInPage, fetch.bytes(at, length).slice()));
            at += length;
        }
        writer.write(ranges, fetch.lengthBytes(), fetch.tags(), fetch.epoch(), new PageWriter.Observer() {
            @Override
            public void written(WriteOutcome outcome, int bytes)
            {
                counters.outcomes.written(outcome, bytes);
            }

            @Override
            public void ended()
            {
                release(fetch);
            }
        });
    }

    /** Records the end of a fetch. If it has arrived, other readers are served from it until it is written. */
    private void landed(Fetch fetch, boolean arrived)
    {
        update(fetch.firstKey(), inFlight -> {
            inFlight.landed();
            if (!arrived) {
                inFlight.remove(fetch);
            }
        });
    }

    /** Prevents readers from joining the fetches of a file that are in flight now. */
    void forget(PageKey firstKey)
    {
        update(firstKey, inFlight -> inFlight.removeIf(fetch -> true));
    }

    /** Prevents readers from joining the fetches of a scope that are in flight now. */
    void forget(Scope scope)
    {
        for (PageKey firstKey : files.keySet()) {
            update(firstKey, inFlight -> inFlight.removeIf(fetch -> scope.contains(fetch.tags().scope())));
        }
    }

    private void update(PageKey firstKey, Consumer<FileFetches> update)
    {
        files.computeIfPresent(firstKey, (key, inFlight) -> {
            update.accept(inFlight);
            return inFlight.isEmpty() ? null : inFlight;
        });
    }

    /** Starts no more fetches, and waits for those that run. */
    void close(long seconds)
            throws InterruptedException
    {
        threads.shutdown();
        if (!threads.awaitTermination(seconds, TimeUnit.SECONDS)) {
            System.getLogger(Fetches.class.getName()).log(Level.INFO, "Some fetches are still running at shutdown; their pages are not cached");
        }
    }
}
