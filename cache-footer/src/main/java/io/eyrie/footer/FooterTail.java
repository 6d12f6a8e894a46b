package io.eyrie.footer;

import java.io.IOException;

import static io.eyrie.footer.FooterStore.CHUNK_BYTES;

/** The end of a file as parsers of footers read it: backward, in pieces. What they read is fetched in one request, or in two if it is long. Used by one thread. */
public final class FooterTail
{
    private final FooterChunks chunks;
    private final long sizeBytes;
    private final int guessBytes;
    private final RangeReader reader;
    private long start;

    /**
     * Makes the tail of a file.
     *
     * @param guessBytes how long footers mostly are; with the rest of the chunk that the last so many bytes begin in, they are the first request
     */
    public FooterTail(FooterChunks chunks, long sizeBytes, int guessBytes, RangeReader reader)
    {
        this.chunks = chunks;
        this.sizeBytes = sizeBytes;
        this.guessBytes = guessBytes;
        this.reader = reader;
        start = sizeBytes;
    }

    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (!chunks.contains(position, length) || position + length < start - guessBytes) {
            // beyond the file, which its client says best; or not of the tail
            reader.readFully(position, buffer, offset, length);
            return;
        }
        if (position < start) {
            long from = start == sizeBytes ? Math.max(0, Math.min(position, sizeBytes - guessBytes)) : position;
            from -= from % CHUNK_BYTES;
            chunks.load(from, (int) (start - from), reader);
            start = from;
        }
        chunks.copy(position, buffer, offset, length);
    }
}
