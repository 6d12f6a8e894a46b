package io.eyrie.cache.page;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Runs disk writes behind the readers' backs, as long as the bytes that wait stay within a bound. Thread-safe. */
final class WriteBuffer
{
    private static final int THREADS = 2;
    private static final long IDLE_SECONDS = 60;

    private final long capacityBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final ThreadPoolExecutor writers;

    WriteBuffer(long capacityBytes)
    {
        this.capacityBytes = capacityBytes;
        writers = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(null, task, "eyrie-page-writer", 0, false);
            thread.setDaemon(true);
            return thread;
        });
        writers.allowCoreThreadTimeOut(true);
    }

    /** Takes a write; false, and nothing happens, if there is no room for its bytes or the buffer is closed. */
    boolean offer(long bytes, Runnable write)
    {
        if (usedBytes.addAndGet(bytes) > capacityBytes) {
            usedBytes.addAndGet(-bytes);
            return false;
        }
        try {
            writers.execute(() -> {
                try {
                    write.run();
                }
                finally {
                    usedBytes.addAndGet(-bytes);
                }
            });
            return true;
        }
        catch (RejectedExecutionException e) {
            usedBytes.addAndGet(-bytes);
            return false;
        }
    }

    /** Takes no more, and waits until what was taken is written. */
    void close(long seconds)
            throws InterruptedException
    {
        writers.shutdown();
        if (!writers.awaitTermination(seconds, TimeUnit.SECONDS)) {
            System.getLogger(WriteBuffer.class.getName())
                    .log(System.Logger.Level.WARNING, "Some pages are still being written; they may be lost");
        }
    }
}
