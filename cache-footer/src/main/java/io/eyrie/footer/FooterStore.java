package io.eyrie.footer;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.StorageClass;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

/**
 * The bytes of footers and indexes in the footer class of the segment store: of each chunk of a file, at multiples of {@link #CHUNK_BYTES}, a blob with the range that was
 * asked for. It may be missing at any time. Thread-safe.
 */
public final class FooterStore
{
    /** The data cache's granule: a cold read of a whole chunk fetches no byte that a shorter one would not. */
    public static final int CHUNK_BYTES = 64 << 10;

    private static final byte[] DOMAIN = "footer-chunk-1".getBytes(US_ASCII);

    private final Optional<BlobCache> blobs;

    /** Bytes of a chunk, from an offset in it on. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares two
    record Part(int offset, byte[] bytes)
    {
        int end()
        {
            return offset + bytes.length;
        }

        boolean covers(int from, int to)
        {
            return from >= offset && to <= end();
        }

        Part slice(int from, int to)
        {
            return new Part(from, Arrays.copyOfRange(bytes, from - offset, to - offset));
        }

        ByteBuffer encode()
        {
            return ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(offset).put(bytes).flip();
        }

        static Part decode(byte[] blob)
        {
            return new Part(ByteBuffer.wrap(blob).getInt(), Arrays.copyOfRange(blob, Integer.BYTES, blob.length));
        }
    }

    /** Makes a store over blobs; without them nothing outlives the process. */
    public FooterStore(Optional<BlobCache> blobs)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
    }

    /** Chunks of a file for one load. */
    public FooterChunks chunks(FooterFile file)
    {
        return new FooterChunks(this, file, true);
    }

    /** What is kept of a chunk. */
    Optional<Part> get(FooterFile file, long chunk)
    {
        // another length is no part of this chunk: a mistake, not a state of the disk
        return blobs.flatMap(cache -> cache.get(key(file, chunk))).map(Part::decode).filter(part -> part.end() <= length(file, chunk));
    }

    void put(FooterFile file, long chunk, Part part, long epoch)
    {
        if (file.keep()) {
            blobs.ifPresent(cache -> cache.put(key(file, chunk), new PageTags(file.scope(), StorageClass.FOOTER), part.encode(), epoch));
        }
    }

    /** The same where there is another part, which a blob cache might give back instead. */
    void replace(FooterFile file, long chunk, Part part, long epoch)
    {
        if (file.keep() && epoch() == epoch) {
            invalidate(file, chunk);
            put(file, chunk, part, epoch());
        }
    }

    void invalidate(FooterFile file, long chunk)
    {
        blobs.ifPresent(cache -> cache.invalidate(key(file, chunk)));
    }

    long epoch()
    {
        return blobs.map(BlobCache::epoch).orElse(0L);
    }

    static int length(FooterFile file, long chunk)
    {
        return (int) Math.min(CHUNK_BYTES, file.version().lengthBytes() - chunk * CHUNK_BYTES);
    }

    private static BlobKey key(FooterFile file, long chunk)
    {
        PageKey version = PageKey.of(file.version(), 0);
        return BlobKey.of(
                ByteBuffer.allocate(DOMAIN.length + 3 * Long.BYTES)
                        .put(DOMAIN)
                        .putLong(version.hashHigh())
                        .putLong(version.hashLow())
                        .putLong(chunk)
                        .flip());
    }
}
