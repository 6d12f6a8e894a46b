// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageTags;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Caches whole blobs by key. A blob may be lost at any time; a lookup never returns bytes that were not put under its key. The key contains the
 * identity of the content: if two blobs are put under one key, either may be returned. Thread-safe; no method throws because of the state of a
 * disk.
 */
public interface BlobCache
{
    /** Returns a copy of a blob, owned by the caller; empty if the blob is not completely present. */
    Optional<byte[]> get(BlobKey key);

    /**
     * Returns a copy of the first bytes of a blob; empty if they are not present.
     *
     * @param bytes maximum number of bytes. A blob of at most this length is read as by {@link #get}. The start of a longer blob is only a hint:
     *         {@link #get} finds out whether the blob is complete, and counts the lookup
     */
    Optional<byte[]> start(BlobKey key, int bytes);

    /** The caller takes the epoch before it computes a blob and passes it to {@link #put} with the blob. */
    long epoch();

    /**
     * Whether a blob's key or scope has been invalidated since an epoch, so that {@link #put} would not store it. Also true if more has been invalidated since
     * than the store remembers. Does no I/O.
     */
    boolean isStale(BlobKey key, Scope scope, long epoch);

    /**
     * Stores a blob in the background. Takes a copy, does not change the position of {@code blob}, and does not wait for a disk. A blob is not
     * stored if it is longer than {@link #maxBlobBytes()} or if too many bytes are already waiting to be written.
     *
     * @param epoch taken before the blob was computed: if its key or scope has been invalidated since, the blob is not stored
     */
    void put(BlobKey key, PageTags tags, ByteBuffer blob, long epoch);

    /**
     * Stores a blob as {@link #put} does, in the place of any earlier one under its key. An earlier one that is still on its way to the disk is not stored
     * anymore. The one that is stored remains until the blob is written: if the blob is not stored, if the process is killed first, or if a disk
     * fails, it may still be returned. For hints that change. Unlike {@link #invalidate}, this does not make the blobs of other loads stale.
     */
    void replace(BlobKey key, PageTags tags, ByteBuffer blob, long epoch);

    /** Drops a blob, and any blob in flight to the disk under its key. */
    void invalidate(BlobKey key);

    /**
     * Drops a blob whose key no later blob will have, and a blob in flight to the disk under this key. Unlike {@link #invalidate}, this does not make the blobs of
     * other loads stale, and the blob may be found again after a crash or on a disk that was out of service.
     */
    void remove(BlobKey key);

    /** Whether a blob was recently evicted to make room. A hint; does no I/O. */
    default boolean wasEvicted(BlobKey key)
    {
        return false;
    }

    /** Whether a blob was recently put, but not stored: it was not admitted, or the store or its writer did not accept it. A hint; does no I/O. */
    default boolean wasNotWritten(BlobKey key)
    {
        return false;
    }

    /** The number of devices, each of which may lose the latest blobs and invalidations, or be out of service, while the others are not. Constant. */
    default int devices()
    {
        return 1;
    }

    /** The device, numbered from 0, that stores a short blob or would store it. */
    default int device(BlobKey key)
    {
        return 0;
    }

    int maxBlobBytes();

    BlobCacheStats stats();
}
