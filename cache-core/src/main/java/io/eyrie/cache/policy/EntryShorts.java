// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.util.Arrays;

/** A number from 0 to 65535 for each entry, initially 0. Two bytes per entry up to the highest number set. Not thread-safe. */
final class EntryShorts
{
    private static final int ARRAY_SHIFT = 12;
    private static final int ARRAY_ENTRIES = 1 << ARRAY_SHIFT;

    private short[][] arrays = new short[0][];

    int get(int entry)
    {
        int array = entry >>> ARRAY_SHIFT;
        return array < arrays.length ? arrays[array][entry & (ARRAY_ENTRIES - 1)] & 0xFFFF : 0;
    }

    void set(int entry, int value)
    {
        int array = entry >>> ARRAY_SHIFT;
        if (array >= arrays.length) {
            int before = arrays.length;
            arrays = Arrays.copyOf(arrays, array + 1);
            for (int i = before; i <= array; i++) {
                arrays[i] = new short[ARRAY_ENTRIES];
            }
        }
        arrays[array][entry & (ARRAY_ENTRIES - 1)] = (short) value;
    }

    long memoryBytes()
    {
        return (long) arrays.length * (ARRAY_ENTRIES * Short.BYTES + Long.BYTES);
    }
}
