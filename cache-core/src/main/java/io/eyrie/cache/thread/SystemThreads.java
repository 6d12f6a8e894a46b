// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.thread;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Creates threads of the Java platform. */
final class SystemThreads
        implements Threads
{
    private static final long IDLE_SECONDS = 60;

    private static Thread thread(String name, Runnable work)
    {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public long nanoTime()
    {
        return System.nanoTime();
    }

    @Override
    public ThreadPoolExecutor pool(String name, int coreThreads, int mostThreads, BlockingQueue<Runnable> waiting)
    {
        return new ThreadPoolExecutor(coreThreads, mostThreads, IDLE_SECONDS, TimeUnit.SECONDS, waiting, work -> thread(name, work));
    }

    @Override
    public ScheduledThreadPoolExecutor scheduler(String name, int threads)
    {
        return new ScheduledThreadPoolExecutor(threads, work -> thread(name, work));
    }

    @Override
    public void start(String name, Runnable work)
    {
        thread(name, work).start();
    }

    @Override
    public void start(String name, Steps steps)
    {
        start(name, () -> {
            boolean more = true;
            while (more) {
                more = steps.next();
            }
        });
    }

    @Override
    public boolean await(CountDownLatch latch, long nanos)
            throws InterruptedException
    {
        return latch.await(nanos, TimeUnit.NANOSECONDS);
    }
}
