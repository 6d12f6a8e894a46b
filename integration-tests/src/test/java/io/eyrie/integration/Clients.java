// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Threads that run queries concurrently. */
public final class Clients
        implements AutoCloseable
{
    private final ExecutorService threads;

    /** @param count the number of threads */
    public Clients(int count)
    {
        threads = Executors.newFixedThreadPool(count);
    }

    /**
     * Runs a task for each item and waits for all of them.
     *
     * @throws IllegalStateException if a task failed; its cause is the task's exception
     */
    public <T> void each(Collection<T> items, Consumer<T> task)
    {
        List<Future<?>> futures = new ArrayList<>();
        items.forEach(item -> futures.add(threads.submit(() -> task.accept(item))));
        for (Future<?> future : futures) {
            try {
                future.get();
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted", e);
            }
            catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }

    @Override
    public void close()
    {
        threads.shutdownNow();
    }
}
