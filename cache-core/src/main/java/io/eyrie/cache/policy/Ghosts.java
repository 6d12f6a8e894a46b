// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import io.eyrie.cache.rendezvous.Hashing;

/**
 * Remembers the hashes of recently evicted entries, about as many as there is room for, in two bytes each. Reports an unknown hash as remembered
 * about once in 8,000 times. Not thread-safe.
 */
final class Ghosts
{
    /*
     * Sets        Of eight 16-bit fingerprints, the newest first; a new one displaces the oldest of its set.
     *             0 means none and is not a fingerprint. Stored in small arrays, because garbage collectors round large ones up.
     */
    private static final int WAYS = 8;
    private static final int ARRAY_SETS_BITS = 10;
    private static final int ARRAY_SETS = 1 << ARRAY_SETS_BITS;

    private short[][] arrays = {new short[WAYS]};
    private int sets = 1;

    /** Makes room for at least eight ninths of this many hashes. Forgets everything when the room grows. */
    void grow(int count)
    {
        if (count > sets * (WAYS + 1)) {
            sets = (count + WAYS - 1) / WAYS;
            arrays = new short[(sets + ARRAY_SETS - 1) / ARRAY_SETS][];
            for (int i = 0; i < arrays.length; i++) {
                arrays[i] = new short[Math.min(ARRAY_SETS, sets - i * ARRAY_SETS) * WAYS];
            }
        }
    }

    void add(long hash)
    {
        long mixed = Hashing.mix(hash);
        int set = set(mixed);
        short[] array = arrays[set >>> ARRAY_SETS_BITS];
        int first = first(set);
        System.arraycopy(array, first, array, first + 1, WAYS - 1);
        array[first] = fingerprint(mixed);
    }

    /** Returns whether a hash is remembered, and forgets it. */
    boolean remove(long hash)
    {
        long mixed = Hashing.mix(hash);
        int set = set(mixed);
        short[] array = arrays[set >>> ARRAY_SETS_BITS];
        short fingerprint = fingerprint(mixed);
        int first = first(set);
        for (int i = first; i < first + WAYS; i++) {
            if (array[i] == fingerprint) {
                System.arraycopy(array, i + 1, array, i, first + WAYS - 1 - i);
                array[first + WAYS - 1] = 0;
                return true;
            }
        }
        return false;
    }

    long memoryBytes()
    {
        return (long) sets * WAYS * Short.BYTES;
    }

    private int set(long mixed)
    {
        return (int) (((mixed >>> 32) * sets) >>> 32);
    }

    private static int first(int set)
    {
        return (set & ARRAY_SETS - 1) * WAYS;
    }

    private static short fingerprint(long mixed)
    {
        short fingerprint = (short) mixed;
        return fingerprint == 0 ? 1 : fingerprint;
    }
}
