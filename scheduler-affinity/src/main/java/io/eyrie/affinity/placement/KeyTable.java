// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

/**
 * A hash table of one query's keys: for each key, its owner and the node that its splits go to now. It uses open addressing in one array, with an entry in one
 * cache line, and no objects.
 */
final class KeyTable
{
    /** A key, then a word with its owner plus one in the upper half and its current node in the lower; a word of 0 marks a free slot. */
    private static final int LONGS_PER_SLOT = 2;
    private static final int INITIAL_SLOTS = 256;
    static final int MOST_KEYS = 1 << 18; // 16 MB

    private long[] entries = new long[INITIAL_SLOTS * LONGS_PER_SLOT];
    private int size;

    /** Returns the slot of a key, valid until the next {@link #put}; negative if the key is missing. */
    int find(long key)
    {
        int mask = entries.length - LONGS_PER_SLOT;
        // keys are hashes already
        for (int slot = (int) key & mask;; slot = slot + LONGS_PER_SLOT & mask) {
            if (entries[slot + 1] == 0) {
                return ~slot;
            }
            if (entries[slot] == key) {
                return slot;
            }
        }
    }

    /** Whether no more keys may be added. */
    boolean isFull()
    {
        return size >= MOST_KEYS;
    }

    /** Adds a key that is missing. */
    void put(long key, int owner, int current)
    {
        if (size * LONGS_PER_SLOT * 2 >= entries.length) {
            grow();
        }
        int slot = ~find(key);
        entries[slot] = key;
        entries[slot + 1] = (owner + 1L) << 32 | current;
        size++;
    }

    int owner(int slot)
    {
        return (int) (entries[slot + 1] >>> 32) - 1;
    }

    int current(int slot)
    {
        return (int) entries[slot + 1];
    }

    void setCurrent(int slot, int current)
    {
        entries[slot + 1] = entries[slot + 1] >>> 32 << 32 | current;
    }

    private void grow()
    {
        long[] old = entries;
        entries = new long[old.length * 2];
        for (int i = 0; i < old.length; i += LONGS_PER_SLOT) {
            if (old[i + 1] != 0) {
                int slot = ~find(old[i]);
                entries[slot] = old[i];
                entries[slot + 1] = old[i + 1];
            }
        }
    }
}
