package io.eyrie.footer;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/** The end of a file as parsers of footers read it: backward, in pieces. What they read is fetched in one request, or in two if it is long. Used by one thread. */
public final class FooterTail
{
    private final FooterChunks chunks;
    private final RangeReader reader;
    private long start;

    public FooterTail(FooterChunks chunks, long sizeBytes, RangeReader reader)
    {
        this.chunks = requireNonNull(chunks, "chunks is null");
        this.reader = requireNonNull(reader, "reader is null");
        start = sizeBytes;
    }

    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (!chunks.contains(position, length) || position + length < start) {
            // beyond the file, which its client says best; or not of the tail
            reader.readFully(position, buffer, offset, length);
            return;
        }
        start = Math.min(start, position);
        chunks.load(position, length, reader);
        chunks.copy(position, buffer, offset, length);
    }
}
