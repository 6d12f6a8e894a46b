// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.LoadEpoch;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

import static java.util.Objects.requireNonNull;

/**
 * Ranges of columns that were found by reading the columns, cached in memory and in the store that also holds the pages. A key covers everything that
 * a range depends on. Thread-safe.
 */
public final class ScannedRanges
{
    /** Estimated size of an entry. */
    private static final int ENTRY_BYTES = 192;

    private final BlobCache blobs;
    private final Cache<BlobKey, ValueRange> memory;
    private final LoadEpoch loads = new LoadEpoch();
    private final LongAdder scanned = new LongAdder();

    /**
     * @param blobs the store of the ranges; not closed here
     * @param maxMemoryBytes maximum memory for copies of recently used ranges
     */
    public ScannedRanges(BlobCache blobs, long maxMemoryBytes)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        this.memory = Caffeine.newBuilder().maximumSize(maxMemoryBytes / ENTRY_BYTES).build();
    }

    /** Returns the cached range of a key. */
    public Optional<ValueRange> get(BlobKey key)
    {
        ValueRange recent = memory.getIfPresent(key);
        if (recent != null) {
            return Optional.of(recent);
        }
        long began = loads.current();
        Optional<byte[]> bytes = blobs.get(key);
        Optional<ValueRange> range = bytes.flatMap(ValueRange::read);
        boolean unused = range.isPresent() && loads.store(began, () -> memory.put(key, range.get()));
        if (bytes.isPresent() && range.isEmpty()) {
            blobs.invalidate(key);
        }
        return range;
    }

    /** Read the epoch before reading a column, and pass it to {@link #keep} with the column's range. */
    public long epoch()
    {
        return blobs.epoch();
    }

    /**
     * Caches the range of a column that was read to its end.
     *
     * @param epoch the epoch from before the column was read: a range invalidated since then is not cached
     * @param scope the scope that the rows belong to
     */
    public void keep(BlobKey key, ValueRange range, long epoch, Scope scope)
    {
        scanned.increment();
        // the store is invalidated before the memory, so a range that is not stale yet is cleared afterwards
        boolean unused = loads.store(loads.current(), () -> {
            if (!blobs.isStale(key, scope, epoch)) {
                memory.put(key, range);
            }
        });
        blobs.put(key, new PageTags(scope, StorageClass.RESULT), ByteBuffer.wrap(range.toBytes()), epoch);
    }

    /** Clears the copies in memory, after part of the store was invalidated. */
    public void forgetMemory()
    {
        loads.invalidate(memory::invalidateAll);
    }

    /** Returns the number of columns scanned since the start. */
    public long scanned()
    {
        return scanned.sum();
    }
}
