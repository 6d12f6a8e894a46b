// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

/**
 * A range of bytes of a file.
 *
 * @param position offset of the first byte in the file, from 0 on
 * @param lengthBytes number of bytes, at least one
 */
public record ByteRange(long position, long lengthBytes)
{
    public ByteRange
    {
        if (position < 0 || lengthBytes < 1) {
            throw new IllegalArgumentException("not a range of bytes: " + position + "+" + lengthBytes);
        }
    }

    /** The position after the last byte. */
    public long end()
    {
        return position + lengthBytes;
    }
}
