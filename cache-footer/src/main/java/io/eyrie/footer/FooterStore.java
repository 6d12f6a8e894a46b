// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

/**
 * Stores the bytes of footers and indexes in the footer class of the segment store. Each chunk of a file, at multiples of {@link #CHUNK_BYTES}, has a
 * blob with the range that was requested. A blob may be missing at any time. Thread-safe.
 */
public final class FooterStore
{
    public static final int CHUNK_BYTES = 64 << 10;

    private static final long TAIL = -1;
    private static final byte[] DOMAIN = "footer-chunk-1".getBytes(US_ASCII);

    private final Optional<BlobCache> blobs;
    private final long pageSizeBytes;

    /**
     * Ranges that are stored together: chunks of one area never contain ranges of another.
     *
     * @param wholeChunks whether more may be read than was requested
     */
    record Area(FooterFile file, long position, boolean wholeChunks)
    {}

    /** Bytes of a chunk, starting at an offset in it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record ChunkBytes(int offset, byte[] bytes)
    {
        int end()
        {
            return offset + bytes.length;
        }

        boolean covers(int from, int to)
        {
            return from >= offset && to <= end();
        }

        ChunkBytes slice(int from, int to)
        {
            return new ChunkBytes(from, Arrays.copyOfRange(bytes, from - offset, to - offset));
        }

        ByteBuffer encode()
        {
            return ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(offset).put(bytes).flip();
        }

        static ChunkBytes decode(byte[] blob)
        {
            return new ChunkBytes(ByteBuffer.wrap(blob).getInt(), Arrays.copyOfRange(blob, Integer.BYTES, blob.length));
        }
    }

    /**
     * Creates a store over blobs; without them, nothing outlives the process.
     *
     * @param pageSizeBytes nothing is stored for files of at most this length: the page that holds such a file also holds its footer
     */
    public FooterStore(Optional<BlobCache> blobs, long pageSizeBytes)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        this.pageSizeBytes = pageSizeBytes;
    }

    /** Returns the end of a file for one load. Whole chunks are read, because a footer may be longer than the part that is requested first. */
    public FooterChunks tail(FooterFile file)
    {
        return new FooterChunks(this, new Area(file, TAIL, true), true);
    }

    /** Returns a part of a stripe for one load. Nothing around it is read: Presto's readers of tiny stripes reject that. */
    public FooterChunks stripe(FooterFile file, long position)
    {
        return new FooterChunks(this, new Area(file, position, false), true);
    }

    /** Returns the stored part of a chunk. */
    Optional<ChunkBytes> get(Area area, long chunk)
    {
        if (!area.file().mode().serves()) {
            return Optional.empty();
        }
        // a part that ends beyond its chunk results from a bug, not from the state of the disk, and is ignored
        return blobs(area).flatMap(cache -> cache.get(key(area, chunk))).map(ChunkBytes::decode).filter(part -> part.end() <= length(area.file(),
                chunk));
    }

    void put(Area area, long chunk, ChunkBytes part, long epoch)
    {
        if (area.file().keep()) {
            blobs(area).ifPresent(cache -> cache.put(key(area, chunk), tags(area), part.encode(), epoch));
        }
    }

    private static PageTags tags(Area area)
    {
        return new PageTags(area.file().scope(), StorageClass.FOOTER);
    }

    /** Stores a part in place of another, which the blob cache might otherwise return instead. */
    void replace(Area area, long chunk, ChunkBytes part, long epoch)
    {
        if (area.file().keep()) {
            blobs(area).ifPresent(cache -> cache.replace(key(area, chunk), tags(area), part.encode(), epoch));
        }
    }

    void invalidate(Area area, long chunk)
    {
        blobs(area).ifPresent(cache -> cache.invalidate(key(area, chunk)));
    }

    long epoch()
    {
        return blobs.map(BlobCache::epoch).orElse(0L);
    }

    static int length(FooterFile file, long chunk)
    {
        return (int) Math.min(CHUNK_BYTES, file.version().lengthBytes() - chunk * CHUNK_BYTES);
    }

    private Optional<BlobCache> blobs(Area area)
    {
        return blobs.filter(ignored -> area.file().version().lengthBytes() > pageSizeBytes);
    }

    private static BlobKey key(Area area, long chunk)
    {
        PageKey version = PageKey.of(area.file().version(), 0);
        return BlobKey.of(
                ByteBuffer.allocate(DOMAIN.length + 4 * Long.BYTES)
                        .put(DOMAIN)
                        .putLong(version.hashHigh())
                        .putLong(version.hashLow())
                        .putLong(area.position())
                        .putLong(chunk)
                        .flip());
    }
}
