package io.eyrie.cache.page;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.log.LimitedLog;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The pages on their way from the remote store to the disk, each of which one fetch brings, and the threads that
 * run the fetches. Thread-safe.
 */
final class Fetches
{
    /*
     * Claim       a key is in the map from the moment that one reader claims it until its page is written, or will not be.
     *             So a page is always in the map or, if it was written, in the store: a claim that finds neither, in one
     *             step, is the only one.
     * Pool        threads without a queue: a fetch runs at once or not at all
     */
    private static final long IDLE_SECONDS = 60;
    private static final LimitedLog writeLog = new LimitedLog(Fetches.class, Level.WARNING);

    private final PageStore store;
    private final CacheCounters counters;
    private final WriteBuffer writeBuffer;
    private final ThreadPoolExecutor threads;
    private final ConcurrentHashMap<PageKey, Fetch> claims = new ConcurrentHashMap<>();

    Fetches(PageStore store, CacheCounters counters, PageCacheConfig config)
    {
        this.store = store;
        this.counters = counters;
        writeBuffer = new WriteBuffer(config.writeBufferBytes());
        threads = new ThreadPoolExecutor(0, config.fetchThreads(), IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(null, task, "eyrie-page-fetch", 0, false);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** The fetch that brings a page, or has brought it; null if there is none. */
    @Nullable
    Fetch find(PageKey key)
    {
        return claims.get(key);
    }

    /** Claims a page for a fetch unless another has claimed it or the store has it. Returns whose it is; null: the store's. */
    @Nullable
    Fetch claim(PageKey key, Fetch fetch)
    {
        return claims.compute(key, (unused, owner) -> owner != null ? owner : store.presentGranules(key, 0) != 0 ? null : fetch);
    }

    /** The same, whatever the store says. */
    Fetch claimAnyway(PageKey key, Fetch fetch)
    {
        Fetch owner = claims.putIfAbsent(key, fetch);
        return owner == null ? fetch : owner;
    }

    /** Runs a fetch, or abandons it if all threads are busy. */
    void start(Fetch fetch, SourceHandle source)
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
        forget(fetch);
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
        if (arrived && !writeBuffer.offer(fetch.lengthBytes(), () -> write(fetch))) {
            for (int page = 0; page < fetch.pages(); page++) {
                counters.write(WriteOutcome.DECLINED, 0);
            }
            forget(fetch);
        }
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
            forget(fetch);
            fetch.failed(e);
            return false;
        }
        fetch.arrived(data);
        return true;
    }

    private void write(Fetch fetch)
    {
        try {
            for (int page = 0; page < fetch.pages(); page++) {
                PageKey key = fetch.key(page);
                write(key, fetch, page);
                claims.remove(key, fetch);
            }
        }
        finally {
            forget(fetch);
        }
    }

    private void write(PageKey key, Fetch fetch, int page)
    {
        WriteOutcome outcome = WriteOutcome.DEVICE_ERROR;
        try {
            ByteBuffer bytes = fetch.page(page);
            outcome = store.write(key, fetch.tags(), bytes.remaining(), 0, bytes, fetch.epoch());
        }
        catch (RuntimeException e) {
            writeLog.log("Writing a page failed", e);
        }
        finally {
            counters.write(outcome, fetch.page(page).remaining());
        }
    }

    private void forget(Fetch fetch)
    {
        for (int page = 0; page < fetch.pages(); page++) {
            claims.remove(fetch.key(page), fetch);
        }
    }

    /** Starts no more, and waits for what runs and for what is to be written. */
    void close(long fetchSeconds, long writeSeconds)
            throws InterruptedException
    {
        threads.shutdown();
        if (!threads.awaitTermination(fetchSeconds, TimeUnit.SECONDS)) {
            System.getLogger(Fetches.class.getName()).log(Level.INFO, "Some fetches still run; their pages are not kept");
        }
        writeBuffer.close(writeSeconds);
    }
}
