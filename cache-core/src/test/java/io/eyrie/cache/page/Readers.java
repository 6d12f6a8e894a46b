// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import static io.eyrie.cache.page.TestingFiles.readAndCheck;
import static org.assertj.core.api.Assertions.assertThat;

/** Readers on their own threads, and the points at which they wait for each other. */
public final class Readers
{
    private static final long LIMIT_SECONDS = 60;

    private Readers()
    {}

    public static void awaitUninterrupted(CountDownLatch latch)
    {
        try {
            assertThat(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
        catch (InterruptedException e) {
            throw new AssertionError("a thread of the cache was interrupted", e);
        }
    }

    public static <T> FutureTask<T> start(Callable<T> task)
    {
        FutureTask<T> future = new FutureTask<>(task);
        Thread thread = new Thread(future, "reader");
        thread.setDaemon(true);
        thread.start();
        return future;
    }

    static FutureTask<Void> startRead(CachedFile file, byte[] content, int position, int length)
    {
        return start(() -> {
            readAndCheck(file, content, position, length);
            return null;
        });
    }

    static void get(FutureTask<?> task)
            throws Exception
    {
        task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
