// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.util.Arrays;

/** A number from 0 to 65535 for each entry, initially 0. Two bytes per entry up to the highest number set. Not thread-safe. */
final class EntryShorts
{
    private static final int CHUNK_SHIFT = 12;
    private static final int CHUNK_ENTRIES = 1 << CHUNK_SHIFT;

    private short[][] chunks = new short[0][];

    int get(int entry)
    {
        int chunk = entry >>> CHUNK_SHIFT;
        return chunk < chunks.length ? chunks[chunk][entry & (CHUNK_ENTRIES - 1)] & 0xFFFF : 0;
    }

    void set(int entry, int value)
    {
        int chunk = entry >>> CHUNK_SHIFT;
        if (chunk >= chunks.length) {
            int before = chunks.length;
            chunks = Arrays.copyOf(chunks, chunk + 1);
            for (int i = before; i <= chunk; i++) {
                chunks[i] = new short[CHUNK_ENTRIES];
            }
        }
        chunks[chunk][entry & (CHUNK_ENTRIES - 1)] = (short) value;
    }

    long memoryBytes()
    {
        return (long) chunks.length * (CHUNK_ENTRIES * Short.BYTES + Long.BYTES);
    }
}
