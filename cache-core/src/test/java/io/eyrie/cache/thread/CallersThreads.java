// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.thread;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Pools that run work on the calling thread, without periodic work: for threads that a schedule controls. */
public class CallersThreads
        implements Threads
{
    @Override
    public long nanoTime()
    {
        return 0;
    }

    @Override
    public ThreadPoolExecutor pool(String name, int coreThreads, int mostThreads, BlockingQueue<Runnable> waiting)
    {
        return new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, waiting) {
            @Override
            public void execute(Runnable work)
            {
                work.run();
            }
        };
    }

    @Override
    public ScheduledThreadPoolExecutor scheduler(String name, int threads)
    {
        throw new UnsupportedOperationException("Nothing is done at intervals");
    }

    @Override
    public void start(String name, Runnable work)
    {
        throw new UnsupportedOperationException("No thread is made");
    }

    @Override
    public void start(String name, Steps steps)
    {
        throw new UnsupportedOperationException("No thread is made");
    }

    @Override
    public boolean await(CountDownLatch latch, long nanos)
            throws InterruptedException
    {
        latch.await();
        return true;
    }
}
