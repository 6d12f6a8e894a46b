package io.eyrie.cache.thread;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** The threads that a cache makes, the time by which they work, and how they are waited for. All threads are daemons. Thread-safe. */
public interface Threads
{
    /** Those of the Java platform. */
    Threads SYSTEM = new SystemThreads();

    /** A clock as {@link System#nanoTime}. */
    long nanoTime();

    /** Makes a pool whose threads are made when needed, and end after a minute without work if the pool lets its core threads end. */
    ThreadPoolExecutor pool(String name, int coreThreads, int mostThreads, BlockingQueue<Runnable> waiting);

    /** Makes threads for what is done at intervals. */
    ScheduledThreadPoolExecutor scheduler(String name, int threads);

    /** Does something on a thread of its own. */
    void start(String name, Runnable work);

    /** Takes one step after the other on a thread of its own. */
    void start(String name, Steps steps);

    /** Waits until a latch is at zero; false if the time passes first. */
    boolean await(CountDownLatch latch, long nanos)
            throws InterruptedException;

    /** What a thread does as long as it lives. */
    interface Steps
    {
        /** Waits until there is something to do, and does it; false if that was the last. */
        boolean next();

        /** How long {@link #next} would wait as things are; 0 or less if it would not. */
        long waitNanos();
    }
}
