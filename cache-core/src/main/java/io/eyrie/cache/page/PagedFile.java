package io.eyrie.cache.page;

import io.eyrie.cache.file.FileVersion;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

import static java.util.Objects.requireNonNull;

/** A file read through pages. Each read is a {@link PagedRead} of its own. */
final class PagedFile
        implements CachedFile
{
    private final ReadThroughPageCache cache;
    private final FileVersion version;
    private final PageKey firstKey;
    private final SourceHandle source;
    private final ReadContext context;
    private volatile Run run = new Run(0, 0);

    /** The range that was read without a gap up to the last read. A guess: threads that read at a time overwrite each other's. */
    private record Run(long start, long end)
    {}

    PagedFile(ReadThroughPageCache cache, FileVersion version, RangeSource source, ReadContext context)
    {
        this.cache = cache;
        this.version = requireNonNull(version, "version is null");
        this.source = new SourceHandle(requireNonNull(source, "source is null"));
        this.context = requireNonNull(context, "context is null");
        firstKey = PageKey.of(version, 0);
    }

    @Override
    public FileVersion version()
    {
        return version;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        return read(position, ByteBuffer.wrap(buffer, offset, length));
    }

    @Override
    public int read(long position, ByteBuffer buffer)
            throws IOException
    {
        if (position < 0) {
            throw new IllegalArgumentException("position is negative: " + position);
        }
        if (source.isClosed() || !source.acquire()) {
            throw new IOException("file is closed: " + version.path());
        }
        try {
            if (!buffer.hasRemaining()) {
                return 0;
            }
            if (position >= version.lengthBytes()) {
                return -1;
            }
            int length = (int) Math.min(buffer.remaining(), version.lengthBytes() - position);
            new PagedRead(cache, version, firstKey, source, context, readAheadPages(position, length))
                    .read(position, buffer.slice(buffer.position(), length));
            buffer.position(buffer.position() + length);
            return length;
        }
        finally {
            source.release();
        }
    }

    /** As far ahead as was read in a row, in reads smaller than a page: what a stream is read in. */
    private int readAheadPages(long position, int length)
    {
        long pageSizeBytes = cache.pageSizeBytes();
        Run last = run;
        Run now = new Run(position == last.end ? last.start : position, position + length);
        run = now;
        return length < pageSizeBytes ? (int) Math.min((now.end - now.start) / pageSizeBytes, cache.config().fetchPages()) : 0;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length > Math.max(0, version.lengthBytes() - position)) {
            throw new EOFException("range " + position + "+" + length + " goes past the end of " + version.path() + " at " + version.lengthBytes());
        }
        read(position, buffer, offset, length);
    }

    @Override
    public void close()
    {
        source.close();
    }
}
