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
     *             0 means none and is not a fingerprint. Stored in chunks, because garbage collectors round large arrays up.
     */
    private static final int WAYS = 8;
    private static final int CHUNK_SETS_BITS = 10;
    private static final int CHUNK_SETS = 1 << CHUNK_SETS_BITS;

    private short[][] chunks = {new short[WAYS]};
    private int sets = 1;

    /** Makes room for at least eight ninths of this many hashes. Forgets everything when the room grows. */
    void grow(int count)
    {
        if (count > sets * (WAYS + 1)) {
            sets = (count + WAYS - 1) / WAYS;
            chunks = new short[(sets + CHUNK_SETS - 1) / CHUNK_SETS][];
            for (int i = 0; i < chunks.length; i++) {
                chunks[i] = new short[Math.min(CHUNK_SETS, sets - i * CHUNK_SETS) * WAYS];
            }
        }
    }

    void add(long hash)
    {
        long mixed = Hashing.mix(hash);
        int set = set(mixed);
        short[] chunk = chunks[set >>> CHUNK_SETS_BITS];
        int first = first(set);
        System.arraycopy(chunk, first, chunk, first + 1, WAYS - 1);
        chunk[first] = fingerprint(mixed);
    }

    /** Returns whether a hash is remembered, and forgets it. */
    boolean remove(long hash)
    {
        long mixed = Hashing.mix(hash);
        int set = set(mixed);
        short[] chunk = chunks[set >>> CHUNK_SETS_BITS];
        short fingerprint = fingerprint(mixed);
        int first = first(set);
        for (int i = first; i < first + WAYS; i++) {
            if (chunk[i] == fingerprint) {
                System.arraycopy(chunk, i + 1, chunk, i, first + WAYS - 1 - i);
                chunk[first + WAYS - 1] = 0;
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
        return (set & CHUNK_SETS - 1) * WAYS;
    }

    private static short fingerprint(long mixed)
    {
        short fingerprint = (short) mixed;
        return fingerprint == 0 ? 1 : fingerprint;
    }
}
