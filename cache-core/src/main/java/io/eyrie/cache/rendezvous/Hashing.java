// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.rendezvous;

/**
 * 64-bit hash functions. They are part of the contract between coordinators: another function would move every key to another worker, and every page to another
 * disk. The tests therefore record their values.
 */
public final class Hashing
{
    // odd, with half of their bits set
    private static final long MULTIPLIER_1 = 0x95bd447e7184d455L;
    private static final long MULTIPLIER_2 = 0xe910fc8d0f06e36bL;
    private static final int CHARS_PER_WORD = Long.SIZE / Character.SIZE;

    private Hashing()
    {}

    /** Returns the hash of a string's UTF-16 code units. */
    public static long hash(String text)
    {
        int length = text.length();
        long hash = (length + 1L) * MULTIPLIER_2;
        int position = 0;
        for (; position <= length - CHARS_PER_WORD; position += CHARS_PER_WORD) {
            long word = text.charAt(position)
                    | (long) text.charAt(position + 1) << 16
                    | (long) text.charAt(position + 2) << 32
                    | (long) text.charAt(position + 3) << 48;
            hash = absorb(hash, word);
        }
        long rest = 0;
        for (; position < length; position++) {
            rest = rest << Character.SIZE | text.charAt(position);
        }
        return mix(absorb(hash, rest));
    }

    /** Returns the hash of a value, seeded with another hash. */
    public static long hash(long hash, long value)
    {
        return mix(absorb(hash, value));
    }

    /** Returns a node's score for a key; the highest wins. The node is given by the hash of its identifier. Scores are uniform over all longs. */
    public static long score(long nodeHash, long key)
    {
        // The upper bits decide, and after the second product they depend on all bits; no third step is needed.
        long product = (nodeHash ^ key) * MULTIPLIER_1;
        return (product ^ product >>> 32) * MULTIPLIER_2;
    }

    /** Maps a score to a number in (0, 1), in the order of the scores. */
    public static double unit(long score)
    {
        return ((score >> 11) + 0x1p52 + 0.5) * 0x1p-53;
    }

    private static long absorb(long hash, long word)
    {
        return Long.rotateLeft(hash ^ word * MULTIPLIER_1, 31) * MULTIPLIER_2;
    }

    /** Returns a hash each of whose bits depends on all bits of the value. A bijection. */
    public static long mix(long value)
    {
        long mixed = (value ^ value >>> 32) * MULTIPLIER_1;
        mixed = (mixed ^ mixed >>> 29) * MULTIPLIER_2;
        return mixed ^ mixed >>> 32;
    }
}
