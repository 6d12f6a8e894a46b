package io.eyrie.cache.page;

/**
 * Bytes of a file.
 *
 * @param position of the first, from 0 on
 * @param lengthBytes how many, at least one
 */
public record ByteRange(long position, long lengthBytes)
{
    public ByteRange
    {
        if (position < 0 || lengthBytes < 1) {
            throw new IllegalArgumentException("no bytes are at " + position + "+" + lengthBytes);
        }
    }

    /** The position after the last. */
    public long end()
    {
        return position + lengthBytes;
    }
}
