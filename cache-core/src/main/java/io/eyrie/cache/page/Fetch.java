package io.eyrie.cache.page;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One ranged read of neighbouring pages from the remote store, which any number of readers wait for. Once ended it
 * holds the pages until they are written. Built by one thread, then thread-safe.
 */
final class Fetch
{
    /** How a fetch ended for those who wait. */
    enum Outcome
    {
        ARRIVED,
        FAILED,
        /** It never ran; whoever waits reads by himself. */
        ABANDONED,
    }

    private final PageKey firstKey;
    private final int pageSizeBytes;
    private final long fileBytes;
    private final PageTags tags;
    private final long epoch;
    private final CountDownLatch ended = new CountDownLatch(1);

    // written by the builder before the fetch is handed over
    private int pages;
    // written before ended
    private volatile @Nullable Outcome outcome;
    private byte @Nullable [] data;
    private @Nullable Throwable failure;

    Fetch(PageKey firstKey, int pageSizeBytes, long fileBytes, PageTags tags, long epoch)
    {
        this.firstKey = firstKey;
        this.pageSizeBytes = pageSizeBytes;
        this.fileBytes = fileBytes;
        this.tags = tags;
        this.epoch = epoch;
    }

    /** Adds the page after the last. */
    void addPage()
    {
        pages++;
    }

    int pages()
    {
        return pages;
    }

    PageKey key(int page)
    {
        return firstKey.page(firstKey.pageNumber() + page);
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
        return firstKey.pageNumber() * pageSizeBytes;
    }

    int lengthBytes()
    {
        return (int) Math.min((long) pages * pageSizeBytes, fileBytes - position());
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

    void await()
            throws InterruptedException
    {
        ended.await();
    }

    /** Waits for the end; false if the time passes first. */
    boolean await(long nanos)
            throws InterruptedException
    {
        return ended.await(nanos, TimeUnit.NANOSECONDS);
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

    /** The bytes of a page that has arrived, from an offset on; shares memory with the fetch. */
    ByteBuffer page(PageKey key, int offsetInPage, int lengthBytes)
    {
        byte[] bytes = data;
        if (bytes == null) {
            throw new IllegalStateException("the fetch has not arrived");
        }
        int start = (int) (key.pageNumber() - firstKey.pageNumber()) * pageSizeBytes + offsetInPage;
        return ByteBuffer.wrap(bytes, start, lengthBytes).asReadOnlyBuffer();
    }

    /** The bytes of a whole page, for the store. */
    ByteBuffer page(int page)
    {
        int start = page * pageSizeBytes;
        byte[] bytes = data;
        if (bytes == null) {
            throw new IllegalStateException("the fetch has not arrived");
        }
        return ByteBuffer.wrap(bytes, start, Math.min(pageSizeBytes, bytes.length - start));
    }
}
