package io.eyrie.benchmarks.micro;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that begin at the same moment. */
final class Readers
{
    /** What one thread does. */
    interface Task
    {
        void run(int number)
                throws Exception;
    }

    private Readers()
    {}

    /** Runs a task on that many threads and waits for all; the first failure is thrown. */
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
