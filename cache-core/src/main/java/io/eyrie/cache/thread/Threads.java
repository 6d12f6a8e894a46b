// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.thread;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** Creates the threads of a cache, and provides its clock and its way to wait for threads. All threads are daemons. Thread-safe. */
public interface Threads
{
    /** The threads of the Java platform. */
    Threads SYSTEM = new SystemThreads();

    /** A clock like {@link System#nanoTime}. */
    long nanoTime();

    /**
     * Creates a pool that starts threads on demand. After a minute without work it ends threads beyond the core, and core threads if it lets them
     * time out.
     */
    ThreadPoolExecutor pool(String name, int coreThreads, int mostThreads, BlockingQueue<Runnable> waiting);

    /** Creates threads for periodic work. */
    ScheduledThreadPoolExecutor scheduler(String name, int threads);

    /** Runs work on a new thread. */
    void start(String name, Runnable work);

    /** Runs steps one after the other on a new thread. */
    void start(String name, Steps steps);

    /** Waits until a latch is at zero; returns false if the time elapses first. */
    boolean await(CountDownLatch latch, long nanos)
            throws InterruptedException;

    /** Waits as {@link #await} does, despite interrupts. An interrupted caller retains its interrupt flag. */
    static boolean awaitUninterrupted(Threads threads, CountDownLatch latch, long nanos)
    {
        long deadline = threads.nanoTime() + nanos;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return threads.await(latch, deadline - threads.nanoTime());
                }
                catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The work of a thread during its life. */
    interface Steps
    {
        /** Waits for work and does it; returns false after the last step. */
        boolean next();

        /** How long {@link #next} would wait at present; 0 or less if it would not wait. */
        long waitNanos();
    }
}
