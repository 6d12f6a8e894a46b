package io.eyrie.cache.blob;

import io.eyrie.cache.page.PageTags;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Keeps whole blobs by key. A blob may be lost at any time; bytes that were not put under its key are never returned. The key
 * holds the identity of the content: of two blobs put under one key either may be given back. Thread-safe; throws for no state
 * of a disk.
 */
public interface BlobCache
{
    /** A copy of a blob, for the caller to keep; empty if it is not there whole. */
    Optional<byte[]> get(BlobKey key);

    /**
     * A copy of the first bytes of a blob; empty if they are not there.
     *
     * @param bytes how many, at the most. A blob that is no longer is read as by {@link #get}. Of a longer one they are a hint: whether it is there whole is not known, and
     *         counted, before {@link #get}
     */
    Optional<byte[]> start(BlobKey key, int bytes);

    /** Taken before a blob is computed and handed to {@link #put} with it. */
    long epoch();

    /**
     * Keeps a blob, some time later. Takes a copy, leaves the position of {@code blob} alone, and does not wait for a disk. A longer
     * blob than {@link #maxBlobBytes()}, or one too many while others wait to be written, is not kept.
     *
     * @param epoch of before the blob was computed: if its key or scope have been invalidated since, it is not kept
     */
    void put(BlobKey key, PageTags tags, ByteBuffer blob, long epoch);

    /** Drops a blob, and what is on its way to be written under its key. */
    void invalidate(BlobKey key);

    /** Whether a blob left lately to make room. A hint; does no I/O. */
    default boolean wasEvicted(BlobKey key)
    {
        return false;
    }

    int maxBlobBytes();

    BlobCacheStats stats();
}
