package io.eyrie.fragment.statistics;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.StorageClass;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

import static java.util.Objects.requireNonNull;

/** Ranges of columns that were read to find them: in memory, and in the store that keeps the pages. A key holds all that a range depends on. Thread-safe. */
public final class ScannedRanges
{
    /** An entry, by estimate. */
    private static final int ENTRY_BYTES = 192;

    private final BlobCache blobs;
    private final Cache<BlobKey, ColumnRange> memory;
    private final LongAdder scanned = new LongAdder();

    /**
     * @param blobs where ranges are kept; not closed here
     * @param maxMemoryBytes what of those used last is kept in memory beside it
     */
    public ScannedRanges(BlobCache blobs, long maxMemoryBytes)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        this.memory = Caffeine.newBuilder().maximumSize(maxMemoryBytes / ENTRY_BYTES).build();
    }

    /** The range that was kept under a key. */
    public Optional<ColumnRange> get(BlobKey key)
    {
        ColumnRange recent = memory.getIfPresent(key);
        if (recent != null) {
            return Optional.of(recent);
        }
        Optional<byte[]> bytes = blobs.get(key);
        Optional<ColumnRange> range = bytes.flatMap(ColumnRange::read);
        range.ifPresent(read -> memory.put(key, read));
        if (bytes.isPresent() && range.isEmpty()) {
            blobs.invalidate(key);
        }
        return range;
    }

    /** Taken before a column is read and handed to {@link #keep} with its range. */
    public long epoch()
    {
        return blobs.epoch();
    }

    /**
     * Keeps the range of a column that was read to its end.
     *
     * @param epoch of before it was read: what has been invalidated since is not kept
     * @param scope what the rows belong to
     */
    public void keep(BlobKey key, ColumnRange range, long epoch, Scope scope)
    {
        scanned.increment();
        if (blobs.epoch() == epoch) {
            memory.put(key, range);
        }
        blobs.put(key, new PageTags(scope, StorageClass.RESULT), ByteBuffer.wrap(range.toBytes()), epoch);
    }

    /** Forgets what is in memory beside the store: for when some of the store was invalidated. */
    public void forgetMemory()
    {
        memory.invalidateAll();
    }

    /** How many were found since the start. */
    public long scanned()
    {
        return scanned.sum();
    }
}
