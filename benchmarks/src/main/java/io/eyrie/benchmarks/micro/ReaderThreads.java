// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs threads that begin at the same moment. */
final class ReaderThreads
{
    /** The work of one thread. */
    interface Task
    {
        void run(int number)
                throws Exception;
    }

    private ReaderThreads()
    {}

    /** Runs a task on {@code threads} threads and waits for all; throws the first failure. */
    static void run(int threads, Task task)
    {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Callable<Void>> calls = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                calls.add(() -> {
                    start.await();
                    task.run(number);
                    return null;
                });
            }
            for (Future<Void> done : executor.invokeAll(calls)) {
                done.get();
            }
        }
        catch (ExecutionException e) {
            throw new IllegalStateException("a reader failed", e.getCause());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while readers run", e);
        }
        finally {
            executor.shutdownNow();
        }
    }
}
