// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/** The end of a file as footer parsers read it: backward, in pieces. It is fetched in one request, or in two if it is long. Used by one thread. */
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
            // beyond the end of the file, where the file's client reports the better error; or not part of the tail
            reader.readFully(position, buffer, offset, length);
            return;
        }
        start = Math.min(start, position);
        chunks.load(position, length, reader);
        chunks.copy(position, buffer, offset, length);
    }
}
