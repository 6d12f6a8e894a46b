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
    public static final int CHUNK_BYTES = 64 << 10;

    private static final long TAIL = -1;
    private static final byte[] DOMAIN = "footer-chunk-1".getBytes(US_ASCII);

    private final Optional<BlobCache> blobs;
    private final long pageSizeBytes;

    /**
     * What is stored together: chunks of one area never hold ranges of another.
     *
     * @param wholeChunks whether more may be read than was asked for
     */
    record Area(FooterFile file, long position, boolean wholeChunks)
    {}

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

    /**
     * Makes a store over blobs; without them nothing outlives the process.
     *
     * @param pageSizeBytes of files that are no longer nothing is stored: the page that holds them whole has their footer, too
     */
    public FooterStore(Optional<BlobCache> blobs, long pageSizeBytes)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
        this.pageSizeBytes = pageSizeBytes;
    }

    /** The end of a file for one load: whole chunks are read of it, as a footer may be longer than the part that is asked for first. */
    public FooterChunks tail(FooterFile file)
    {
        return new FooterChunks(this, new Area(file, TAIL, true), true);
    }

    /** A part of a stripe for one load. Nothing around it is read: Presto's readers of tiny stripes refuse that. */
    public FooterChunks stripe(FooterFile file, long position)
    {
        return new FooterChunks(this, new Area(file, position, false), true);
    }

    /** What is kept of a chunk. */
    Optional<Part> get(Area area, long chunk)
    {
        // another length is no part of this chunk: a mistake, not a state of the disk
        if (!area.file().mode().serves()) {
            return Optional.empty();
        }
        return blobs(area).flatMap(cache -> cache.get(key(area, chunk))).map(Part::decode).filter(part -> part.end() <= length(area.file(), chunk));
    }

    void put(Area area, long chunk, Part part, long epoch)
    {
        if (area.file().keep()) {
            blobs(area).ifPresent(cache -> cache.put(key(area, chunk), new PageTags(area.file().scope(), StorageClass.FOOTER), part.encode(), epoch));
        }
    }

    /** The same where there is another part, which a blob cache might give back instead. */
    void replace(Area area, long chunk, Part part)
    {
        if (area.file().keep()) {
            invalidate(area, chunk);
            put(area, chunk, part, epoch());
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
