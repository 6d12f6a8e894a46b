package io.eyrie.cache.page;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
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
 * The granules on their way from the remote store to the disk, each of which one fetch brings, and the threads that
 * run the fetches. Thread-safe.
 */
final class Fetches
{
    /*
     * Claim       a granule belongs to a fetch from the moment that one reader plans it until it is written, or will not be.
     *             So a granule is always in a fetch or, if it was written, in the store: a plan that finds it in neither, in one
     *             step, is the only one.
     * Lock        the map's, on the entry of one file: taken by misses alone, and held during no I/O
     * Memory      reserved by the plan, before anything is asked for, and given back when a fetch is written, has failed or will not run
     * Pool        threads without a queue: a fetch runs at once or not at all
     */
    private final CacheCounters counters;
    private final PageWriter writer;
    private final int pageSizeBytes;
    private final long memoryBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ThreadPoolExecutor threads;
    // by the key of the file's page 0, which names store, principal, path and version
    private final ConcurrentHashMap<PageKey, FileFetches> files = new ConcurrentHashMap<>();

    Fetches(PageWriter writer, CacheCounters counters, PageCacheConfig config, Threads of)
    {
        this.writer = writer;
        this.counters = counters;
        pageSizeBytes = config.pageSizeBytes();
        memoryBytes = config.fetchMemoryBytes();
        threads = of.pool("eyrie-page-fetch", 0, config.fetchThreads(), new SynchronousQueue<>());
    }

    /** Plans with the fetches of one file, in one step. Each new fetch must be started or abandoned. */
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

    /** Takes memory for a fetch that will be planned; false, and it is counted, if there is none. */
    boolean reserve(int bytes)
    {
        if (usedBytes.addAndGet(bytes) <= memoryBytes) {
            return true;
        }
        giveBack(bytes);
        counters.fetchMemoryRejection();
        return false;
    }

    /** Takes memory for a fetch that nobody waits for: at most half of all there is, so that the others have the rest. */
    boolean reserveSpare(int bytes)
    {
        if (usedBytes.addAndGet(bytes) <= memoryBytes / 2) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    /** Gives back memory that no fetch was planned for. */
    void giveBack(int bytes)
    {
        usedBytes.addAndGet(-bytes);
    }

    /** The memory that is reserved. */
    long usedBytes()
    {
        return usedBytes.get();
    }

    /** Whether at most half of the threads are busy. */
    boolean hasIdleThreads()
    {
        return threads.getActiveCount() <= threads.getMaximumPoolSize() / 2;
    }

    /** Runs planned fetches, or abandons those for which there is no thread. */
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
            // no thread is free, or none can be made
            counters.fetchRejection();
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

    /** Lets go of the bytes of a fetch, which are written or will not be. */
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
            // a reader needs less
            abandon(fetch);
            return false;
        }
        try {
            counters.remoteRead(data.length);
            source.get().readFully(fetch.position(), data, 0, data.length);
        }
        catch (Throwable e) {
            counters.remoteReadFailure();
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
        List<GranuleRun> runs = new ArrayList<>();
        for (long at = fetch.position(); at < fetch.end();) {
            long page = at / pageSizeBytes;
            int offsetInPage = (int) (at % pageSizeBytes);
            int length = (int) Math.min(pageSizeBytes - offsetInPage, fetch.end() - at);
            int pageLength = (int) Math.min(pageSizeBytes, fetch.fileBytes() - page * pageSizeBytes);
            runs.add(new GranuleRun(fetch.firstKey().page(page), pageLength, offsetInPage, fetch.bytes(at, length).slice()));
            at += length;
        }
        writer.write(runs, fetch.lengthBytes(), fetch.tags(), fetch.epoch(), new PageWriter.Observer() {
            @Override
            public void written(WriteOutcome outcome, int bytes)
            {
                counters.write(outcome, bytes);
            }

            @Override
            public void ended()
            {
                release(fetch);
            }
        });
    }

    /** A fetch has ended. If it has arrived, others are served from it until it is written. */
    private void landed(Fetch fetch, boolean arrived)
    {
        update(fetch.firstKey(), inFlight -> {
            inFlight.landed();
            if (!arrived) {
                inFlight.remove(fetch);
            }
        });
    }

    /** Lets nobody join what is in flight of a file. */
    void forget(PageKey firstKey)
    {
        update(firstKey, inFlight -> inFlight.removeIf(fetch -> true));
    }

    /** Lets nobody join what is in flight of a scope. */
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

    /** Starts no more, and waits for what runs. */
    void close(long seconds)
            throws InterruptedException
    {
        threads.shutdown();
        if (!threads.awaitTermination(seconds, TimeUnit.SECONDS)) {
            System.getLogger(Fetches.class.getName()).log(Level.INFO, "Some fetches still run; their pages are not kept");
        }
    }
}
