// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.thread.Threads;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/**
 * One ranged read of whole granules from the remote store, for which any number of readers may wait. After it has ended, it holds the bytes until
 * they are written. Thread-safe.
 */
final class Fetch
{
    /** How a fetch ended, for the readers that wait for it. */
    enum Outcome
    {
        ARRIVED,
        /** The read failed. The reader that caused the fetch gets the exception; the others read from the remote store themselves. */
        FAILED,
        /** The fetch never ran; each waiting reader reads from the remote store itself. */
        ABANDONED,
    }

    private final PageKey firstKey;
    private final long fileBytes;
    private final long position;
    private final int lengthBytes;
    private final PageTags tags;
    private final long epoch;
    private final CountDownLatch ended = new CountDownLatch(1);

    // written before the latch opens
    private volatile @Nullable Outcome outcome;
    private byte @Nullable [] data;
    private @Nullable Throwable failure;

    /** @param firstKey the key of the file's page 0 */
    Fetch(PageKey firstKey, long fileBytes, long position, int lengthBytes, PageTags tags, long epoch)
    {
        this.firstKey = firstKey;
        this.fileBytes = fileBytes;
        this.position = position;
        this.lengthBytes = lengthBytes;
        this.tags = tags;
        this.epoch = epoch;
    }

    PageKey firstKey()
    {
        return firstKey;
    }

    long fileBytes()
    {
        return fileBytes;
    }

    PageTags tags()
    {
        return tags;
    }

    /** The store's epoch before the read. */
    long epoch()
    {
        return epoch;
    }

    long position()
    {
        return position;
    }

    int lengthBytes()
    {
        return lengthBytes;
    }

    long end()
    {
        return position + lengthBytes;
    }

    void arrived(byte[] bytes)
    {
        data = bytes;
        end(Outcome.ARRIVED);
    }

    void failed(Throwable cause)
    {
        failure = cause;
        end(Outcome.FAILED);
    }

    void abandoned()
    {
        end(Outcome.ABANDONED);
    }

    private void end(Outcome how)
    {
        outcome = how;
        ended.countDown();
    }

    /** How the fetch ended; null before the end. */
    @Nullable
    Outcome outcome()
    {
        return outcome;
    }

    /** Waits for the end; returns false if the time elapses first. */
    boolean await(Threads threads, long nanos)
            throws InterruptedException
    {
        return threads.await(ended, nanos);
    }

    /** Throws the exception of the source. */
    void rethrow()
            throws IOException
    {
        Throwable cause = failure;
        if (cause instanceof IOException e) {
            throw e;
        }
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        throw new IllegalStateException("the fetch did not fail", cause);
    }

    /** Returns some of the bytes that have arrived; shares memory with the fetch. */
    ByteBuffer bytes(long from, int length)
    {
        byte[] bytes = data;
        if (bytes == null) {
            throw new IllegalStateException("the fetch has not arrived");
        }
        return ByteBuffer.wrap(bytes, (int) (from - position), length);
    }
}
