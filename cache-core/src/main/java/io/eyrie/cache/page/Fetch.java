package io.eyrie.cache.page;

import io.eyrie.cache.thread.Threads;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/**
 * One ranged read of whole granules from the remote store, which any number of readers wait for. Once ended it holds their bytes
 * until they are written. Thread-safe.
 */
final class Fetch
{
    /** How a fetch ended for those who wait. */
    enum Outcome
    {
        ARRIVED,
        /** Its failure is that of the reader that caused it; the others read by themselves. */
        FAILED,
        /** It never ran; whoever waits reads by himself. */
        ABANDONED,
    }

    private final PageKey firstKey;
    private final long fileBytes;
    private final long position;
    private final int lengthBytes;
    private final PageTags tags;
    private final long epoch;
    private final CountDownLatch ended = new CountDownLatch(1);

    // written before ended
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

    /** The store's, of before the read. */
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

    /** How it ended; null while it has not. */
    @Nullable
    Outcome outcome()
    {
        return outcome;
    }

    /** Waits for the end; false if the time passes first. */
    boolean await(Threads threads, long nanos)
            throws InterruptedException
    {
        return threads.await(ended, nanos);
    }

    /** Throws what the source threw. */
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

    /** Some of the bytes that have arrived; shares memory with the fetch. */
    ByteBuffer bytes(long from, int length)
    {
        byte[] bytes = data;
        if (bytes == null) {
            throw new IllegalStateException("the fetch has not arrived");
        }
        return ByteBuffer.wrap(bytes, (int) (from - position), length);
    }
}
