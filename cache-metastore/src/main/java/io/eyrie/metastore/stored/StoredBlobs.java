// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.stored;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** Blobs under keys that no other blob has or had, and a count of those that are lost. Thread-safe. */
public final class StoredBlobs
{
    private static final long MOST_RECENT_BYTES = 16 << 20;
    private static final Duration RECENT = Duration.ofSeconds(10);
    private static final LimitedLog log = new LimitedLog(StoredBlobs.class, Level.WARNING);

    private final BlobCache blobs;
    private final Cache<BlobKey, byte[]> recent = Caffeine.newBuilder() // blobs that may still wait for the disk
            .executor(Runnable::run)
            .maximumWeight(MOST_RECENT_BYTES)
            .<BlobKey, byte[]>weigher((key, bytes) -> bytes.length)
            .expireAfterWrite(RECENT)
            .build();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder undecodable = new LongAdder();

    public StoredBlobs(BlobCache blobs)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
    }

    /** Returns what a function makes of a blob; empty if the blob is lost or the function throws. */
    <T> Optional<T> get(BlobKey key, Function<byte[], T> decode)
    {
        Optional<byte[]> found = Optional.ofNullable(recent.getIfPresent(key)).or(() -> blobs.get(key));
        if (found.isEmpty()) {
            lost.increment();
            return Optional.empty();
        }
        return decoded(found.get(), decode);
    }

    /** Returns what a function makes of stored bytes; empty, counted and logged if it throws. */
    public <T> Optional<T> decoded(byte[] bytes, Function<byte[], T> decode)
    {
        try {
            return Optional.of(decode.apply(bytes));
        }
        catch (RuntimeException e) {
            undecodable();
            log.log("Stored metadata is dropped, because it cannot be decoded; queries read it from the metastore", e);
            return Optional.empty();
        }
    }

    /** Counts stored bytes that cannot be decoded. */
    public void undecodable()
    {
        undecodable.increment();
    }

    /** Stores a blob in the background and returns its key. It is lost if it is longer than {@link #maxBlobBytes} or if the disk does not accept it. */
    BlobKey put(byte[] bytes)
    {
        UUID unique = UUID.randomUUID();
        BlobKey key = new BlobKey(unique.getMostSignificantBits(), unique.getLeastSignificantBits());
        recent.put(key, bytes);
        blobs.put(key, new PageTags(Scope.NONE, StorageClass.FOOTER), ByteBuffer.wrap(bytes), blobs.epoch());
        writtenBytes.add(bytes.length);
        return key;
    }

    /** Drops blobs that nothing refers to any more. */
    public void drop(Collection<BlobKey> keys)
    {
        keys.forEach(blobs::remove);
        recent.invalidateAll(keys);
    }

    int maxBlobBytes()
    {
        return blobs.maxBlobBytes();
    }

    /** Returns the bytes of all blobs that were put. */
    public long writtenBytes()
    {
        return writtenBytes.sum();
    }

    /** Returns how often a blob was not found. */
    public long lostBlobs()
    {
        return lost.sum();
    }

    /** Returns how often a blob could not be decoded. */
    public long undecodableBlobs()
    {
        return undecodable.sum();
    }
}
