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
    private static final int ARRAY_SHIFT = 12;
    private static final int ARRAY_ENTRIES = 1 << ARRAY_SHIFT;
    private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);

    private volatile byte[][] arrays = new byte[0][];

    /** The byte of an entry; 0 beyond the highest number grown to. */
    int get(int entry)
    {
        byte[][] current = arrays;
        int array = entry >>> ARRAY_SHIFT;
        return array < current.length ? (byte) BYTES.getOpaque(current[array], entry & (ARRAY_ENTRIES - 1)) & 0xFF : 0;
    }

    void set(int entry, int bits)
    {
        BYTES.setOpaque(arrays[entry >>> ARRAY_SHIFT], entry & (ARRAY_ENTRIES - 1), (byte) bits);
    }

    /** Replaces an expected byte; may fail spuriously. */
    boolean exchange(int entry, int expected, int bits)
    {
        return BYTES.weakCompareAndSetPlain(arrays[entry >>> ARRAY_SHIFT], entry & (ARRAY_ENTRIES - 1), (byte) expected, (byte) bits);
    }

    void grow(int entry)
    {
        byte[][] current = arrays;
        int array = entry >>> ARRAY_SHIFT;
        if (array >= current.length) {
            byte[][] grown = Arrays.copyOf(current, array + 1);
            for (int i = current.length; i <= array; i++) {
                grown[i] = new byte[ARRAY_ENTRIES];
            }
            arrays = grown;
        }
    }

    /** Whether an entry has room. */
    boolean contains(int entry)
    {
        return entry >>> ARRAY_SHIFT < arrays.length;
    }

    long memoryBytes()
    {
        return (long) arrays.length * (ARRAY_ENTRIES + Long.BYTES);
    }
}
