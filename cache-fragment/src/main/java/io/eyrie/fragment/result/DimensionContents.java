// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.LoadEpoch;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The digests of dimensions' rows, by the versions of the files that the rows were read from. They are cached in memory and in the store that also holds
 * the results. Thread-safe.
 */
public final class DimensionContents
{
    // two objects, two arrays and the cache's entry; 2 MB in all
    private static final int ENTRIES = 10_000;
    private static final byte UNKNOWN = 0;
    private static final byte KNOWN = 1;

    private final BlobCache blobs;
    private final Cache<BlobKey, DimensionContent> memory = Caffeine.newBuilder().maximumSize(ENTRIES).build();
    private final LoadEpoch loads = new LoadEpoch();

    /**
     * The digest of a dimension's rows, if a reader computed it.
     *
     * @param digest the digest of all rows; empty if the rows were not all read, because they did not fit into memory
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record DimensionContent(Optional<byte[]> digest)
    {}

    /** @param blobs the store of the digests; not closed here */
    public DimensionContents(BlobCache blobs)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
    }

    /** Returns the content of a dimension; empty if it was not read yet. */
    public Optional<DimensionContent> get(BlobKey versions)
    {
        DimensionContent recent = memory.getIfPresent(versions);
        if (recent != null) {
            return Optional.of(recent);
        }
        long began = loads.current();
        Optional<DimensionContent> stored = blobs.get(versions).flatMap(DimensionContents::read);
        boolean unused = stored.isPresent() && loads.store(began, () -> memory.put(versions, stored.get()));
        return stored;
    }

    private static Optional<DimensionContent> read(byte[] bytes)
    {
        if (bytes.length == 0) {
            return Optional.empty();
        }
        return switch (bytes[0]) {
            case UNKNOWN -> Optional.of(new DimensionContent(Optional.empty()));
            case KNOWN -> Optional.of(new DimensionContent(Optional.of(Arrays.copyOfRange(bytes, 1, bytes.length))));
            default -> Optional.empty();
        };
    }

    /** Read the epoch before reading a dimension, and pass it to {@link #put} with the dimension's content. */
    public long epoch()
    {
        return blobs.epoch();
    }

    /**
     * Stores the content of a dimension.
     *
     * @param epoch the epoch from before the dimension was read: a content invalidated since then is not stored
     * @param scope the table of the dimension
     */
    public void put(BlobKey versions, DimensionContent content, long epoch, Scope scope)
    {
        // the store is invalidated before the memory, so a content that is not stale yet is cleared afterwards
        boolean unused = loads.store(loads.current(), () -> {
            if (!blobs.isStale(versions, scope, epoch)) {
                memory.put(versions, content);
            }
        });
        byte[] digest = content.digest().orElse(new byte[0]);
        ByteBuffer bytes = ByteBuffer.allocate(1 + digest.length).put(content.digest().isPresent() ? KNOWN : UNKNOWN).put(digest).flip();
        blobs.put(versions, new PageTags(scope, StorageClass.RESULT), bytes, epoch);
    }

    /** Clears the copies in memory, after part of the store was invalidated: a content that is known is not stored again. */
    public void forgetMemory()
    {
        loads.invalidate(memory::invalidateAll);
    }
}
