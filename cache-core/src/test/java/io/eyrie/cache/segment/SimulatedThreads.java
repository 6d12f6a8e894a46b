// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.thread.Threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs all work of a cache on the thread of a simulation, in a random order: whenever that thread waits, and when the simulation requests it. Time
 * passes only here.
 */
final class SimulatedThreads
        implements Threads
{
    private final Random dice;
    private final List<Work> works = new ArrayList<>();
    private long nanos;
    private int patience = Integer.MAX_VALUE;
    private boolean schedulesHeld;

    /** The work of a thread: once, at intervals, or step by step. */
    private abstract static class Work
    {
        private boolean running;

        /** Returns the time until it can run; 0 or less if it can run now. */
        abstract long waitNanos();

        /** Runs it once. Returns whether it will run again. */
        abstract boolean run();
    }

    SimulatedThreads(Random dice, long nanos)
    {
        this.dice = dice;
        this.nanos = nanos;
    }

    @Override
    public long nanoTime()
    {
        return nanos;
    }

    void pass(long passedNanos)
    {
        nanos += passedNanos;
    }

    /** From now on, one of {@code waits} waits reaches its deadline before any other work runs, as if the awaited operation hung. */
    void setPatience(int waits)
    {
        patience = waits;
    }

    /** Sets whether periodic work is suspended. */
    void holdSchedules(boolean held)
    {
        schedulesHeld = held;
    }

    /** Runs a piece of work that can run, and returns false if there is none. Work that is in progress further up the call stack does not run again. */
    boolean runOne()
    {
        int ready = 0;
        Work chosen = null;
        for (Work work : works) {
            if (!work.running && work.waitNanos() <= 0) {
                ready++;
                chosen = dice.nextInt(ready) == 0 ? work : chosen;
            }
        }
        if (chosen == null) {
            return false;
        }
        chosen.running = true;
        boolean again = false;
        // the work expects a thread of its own, and this is the thread that loads the next tests
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            again = chosen.run();
        }
        finally {
            Thread.currentThread().setContextClassLoader(loader);
            chosen.running = false;
            if (!again) {
                works.remove(chosen);
            }
        }
        return true;
    }

    /** Runs work until none can run, or {@code most} pieces. */
    void runAll(int most)
    {
        boolean more = true;
        for (int i = 0; i < most && more; i++) {
            more = runOne();
        }
    }

    @Override
    public boolean await(CountDownLatch latch, long waitNanos)
    {
        if (latch.getCount() > 0 && waitNanos < TimeUnit.DAYS.toNanos(1) && dice.nextInt(patience) == 0) {
            pass(Math.max(0, waitNanos));
            return false;
        }
        long deadline = nanos + Math.min(waitNanos, Long.MAX_VALUE / 4);
        while (latch.getCount() > 0) {
            if (deadline - nanos <= 0) {
                return false;
            }
            if (!runOne()) {
                long next = deadline - nanos;
                for (Work work : works) {
                    next = work.running ? next : Math.min(next, work.waitNanos());
                }
                if (next > TimeUnit.DAYS.toNanos(1)) {
                    throw new IllegalStateException("Nothing will end this wait");
                }
                pass(next);
            }
        }
        return true;
    }

    private void once(Runnable work, long waitNanos, Runnable afterwards)
    {
        long due = nanos + waitNanos;
        works.add(new Work() {
            @Override
            long waitNanos()
            {
                return due - nanos;
            }

            @Override
            boolean run()
            {
                try {
                    work.run();
                }
                finally {
                    afterwards.run();
                }
                return false;
            }
        });
    }

    @Override
    public void start(String name, Runnable work)
    {
        once(work, 0, () -> {});
    }

    /** Takes the first step at once: the thread that starts a journal waits for it. */
    @Override
    public void start(String name, Steps steps)
    {
        if (steps.next()) {
            works.add(new Work() {
                @Override
                long waitNanos()
                {
                    return steps.waitNanos();
                }

                @Override
                boolean run()
                {
                    return steps.next();
                }
            });
        }
    }

    @Override
    public ThreadPoolExecutor pool(String name, int coreThreads, int mostThreads, BlockingQueue<Runnable> waiting)
    {
        return new Pool(coreThreads, mostThreads, waiting);
    }

    @Override
    public ScheduledThreadPoolExecutor scheduler(String name, int threads)
    {
        return new Scheduler();
    }

    private final class Pool
            extends ThreadPoolExecutor
    {
        private final boolean queues;
        private final Deque<Runnable> queue = new ArrayDeque<>();
        private int active;
        private boolean shut;

        Pool(int coreThreads, int mostThreads, BlockingQueue<Runnable> waiting)
        {
            super(coreThreads, mostThreads, 1, TimeUnit.SECONDS, waiting);
            queues = !(waiting instanceof SynchronousQueue);
        }

        @Override
        public void execute(Runnable work)
        {
            if (shut || (active == getMaximumPoolSize() && !queues)) {
                throw new RejectedExecutionException(shut ? "shut down" : "all threads are busy");
            }
            queue.add(work);
            begin();
        }

        private void begin()
        {
            while (active < getMaximumPoolSize() && !queue.isEmpty()) {
                active++;
                once(queue.remove(), 0, () -> {
                    active--;
                    begin();
                });
            }
        }

        @Override
        public int getActiveCount()
        {
            return active;
        }

        @Override
        public void shutdown()
        {
            shut = true;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit)
        {
            long deadline = nanos + unit.toNanos(timeout);
            while (active > 0 && nanos < deadline) {
                if (!runOne()) {
                    pass(deadline - nanos);
                }
            }
            return active == 0;
        }
    }

    private final class Scheduler
            extends ScheduledThreadPoolExecutor
    {
        private boolean shut;
        private int active;

        Scheduler()
        {
            super(1);
        }

        @Override
        public void execute(Runnable work)
        {
            active++;
            once(work, 0, () -> active--);
        }

        @Override
        public ScheduledFuture<?> scheduleWithFixedDelay(Runnable work, long initialDelay, long delay, TimeUnit unit)
        {
            works.add(new Work() {
                private long due = nanos + unit.toNanos(initialDelay);

                @Override
                long waitNanos()
                {
                    return shut || schedulesHeld ? Long.MAX_VALUE : due - nanos;
                }

                @Override
                boolean run()
                {
                    active++;
                    try {
                        work.run();
                    }
                    finally {
                        active--;
                    }
                    due = nanos + unit.toNanos(delay);
                    return !shut;
                }
            });
            return new NoFuture();
        }

        @Override
        public void shutdown()
        {
            shut = true;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit)
        {
            // does not wait for work that is in progress further up the call stack, or that will never begin
            return active == 0;
        }
    }

    private static final class NoFuture
            extends FutureTask<Boolean>
            implements ScheduledFuture<Boolean>
    {
        NoFuture()
        {
            super(() -> true);
        }

        @Override
        public long getDelay(TimeUnit unit)
        {
            return 0;
        }

        @Override
        public int compareTo(Delayed other)
        {
            return 0;
        }
    }
}
