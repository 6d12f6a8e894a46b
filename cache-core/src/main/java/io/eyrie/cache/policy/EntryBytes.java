// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A byte for each entry, initially 0. One byte per entry up to the highest number grown to. Any thread may read and exchange; only one thread at
 * a time grows.
 */
final class EntryBytes
{
    private static final int CHUNK_SHIFT = 12;
    private static final int CHUNK_ENTRIES = 1 << CHUNK_SHIFT;
    private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);

    private volatile byte[][] chunks = new byte[0][];

    /** The byte of an entry; 0 beyond the highest number grown to. */
    int get(int entry)
    {
        byte[][] current = chunks;
        int chunk = entry >>> CHUNK_SHIFT;
        return chunk < current.length ? (byte) BYTES.getOpaque(current[chunk], entry & (CHUNK_ENTRIES - 1)) & 0xFF : 0;
    }

    void set(int entry, int bits)
    {
        BYTES.setOpaque(chunks[entry >>> CHUNK_SHIFT], entry & (CHUNK_ENTRIES - 1), (byte) bits);
    }

    /** Replaces an expected byte; may fail spuriously. */
    boolean exchange(int entry, int expected, int bits)
    {
        return BYTES.weakCompareAndSetPlain(chunks[entry >>> CHUNK_SHIFT], entry & (CHUNK_ENTRIES - 1), (byte) expected, (byte) bits);
    }

    void grow(int entry)
    {
        byte[][] current = chunks;
        int chunk = entry >>> CHUNK_SHIFT;
        if (chunk >= current.length) {
            byte[][] grown = Arrays.copyOf(current, chunk + 1);
            for (int i = current.length; i <= chunk; i++) {
                grown[i] = new byte[CHUNK_ENTRIES];
            }
            chunks = grown;
        }
    }

    /** Whether an entry has room. */
    boolean contains(int entry)
    {
        return entry >>> CHUNK_SHIFT < chunks.length;
    }

    long memoryBytes()
    {
        return (long) chunks.length * (CHUNK_ENTRIES + Long.BYTES);
    }
}
