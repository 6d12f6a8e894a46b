// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Doubly linked lists of entries, each with its size and the sum of its weights; an entry is in at most one list. Eight bytes per entry up to the
 * highest number seen. Not thread-safe.
 */
final class EntryLists
{
    /*
     * Links       In arrays, so that growth copies nothing and leaves at most one array unused:
     *             array[2i] = previous + 2, array[2i + 1] = next + 2; so 0 = in no list, 1 = end of the list
     */
    private static final int ARRAY_SHIFT = 10;
    private static final int ARRAY_ENTRIES = 1 << ARRAY_SHIFT;
    private static final int OFFSET = 2;
    private static final int END = -1;
    private static final int OUT = -2;
    private static final int PREVIOUS = 0;
    private static final int NEXT = 1;

    private int[][] arrays = new int[0][];
    private int[] first = new int[0];
    private int[] last = new int[0];
    private long[] weightBytes = new long[0];
    private int[] sizes = new int[0];

    int newList()
    {
        int list = first.length;
        first = Arrays.copyOf(first, list + 1);
        last = Arrays.copyOf(last, list + 1);
        weightBytes = Arrays.copyOf(weightBytes, list + 1);
        sizes = Arrays.copyOf(sizes, list + 1);
        first[list] = END;
        last[list] = END;
        return list;
    }

    /** The first entry of a list; {@link EvictionPolicy#NONE} if it is empty. */
    int first(int list)
    {
        return first[list];
    }

    long weightBytes(int list)
    {
        return weightBytes[list];
    }

    int size(int list)
    {
        return sizes[list];
    }

    boolean contains(int entry)
    {
        return entry >>> ARRAY_SHIFT < arrays.length && link(entry, NEXT) != OUT;
    }

    /** Appends an entry that is in no list. */
    void addLast(int list, int entry, int entryWeightBytes)
    {
        grow(entry);
        if (link(entry, NEXT) != OUT) {
            throw new IllegalStateException("entry " + entry + " is in a list already");
        }
        append(list, entry);
        weightBytes[list] += entryWeightBytes;
        sizes[list]++;
    }

    /** Removes an entry that is in this list. */
    void remove(int list, int entry, int entryWeightBytes)
    {
        if (!contains(entry)) {
            throw new IllegalStateException("entry " + entry + " is not in a list");
        }
        unlink(list, entry);
        setLink(entry, PREVIOUS, OUT);
        setLink(entry, NEXT, OUT);
        weightBytes[list] -= entryWeightBytes;
        sizes[list]--;
    }

    /** Moves an entry of this list to its end. */
    void moveToLast(int list, int entry)
    {
        if (last[list] != entry) {
            unlink(list, entry);
            append(list, entry);
        }
    }

    void forEach(int list, IntConsumer visitor)
    {
        for (int entry = first[list]; entry != END; entry = link(entry, NEXT)) {
            visitor.accept(entry);
        }
    }

    long memoryBytes()
    {
        return (long) arrays.length * (ARRAY_ENTRIES * 2 * Integer.BYTES + Long.BYTES)
                + (long) first.length * (3 * Integer.BYTES + Long.BYTES);
    }

    private void append(int list, int entry)
    {
        int before = last[list];
        setLink(entry, PREVIOUS, before);
        setLink(entry, NEXT, END);
        if (before == END) {
            first[list] = entry;
        }
        else {
            setLink(before, NEXT, entry);
        }
        last[list] = entry;
    }

    private void unlink(int list, int entry)
    {
        int before = link(entry, PREVIOUS);
        int after = link(entry, NEXT);
        if (before == END) {
            first[list] = after;
        }
        else {
            setLink(before, NEXT, after);
        }
        if (after == END) {
            last[list] = before;
        }
        else {
            setLink(after, PREVIOUS, before);
        }
    }

    private int link(int entry, int side)
    {
        return arrays[entry >>> ARRAY_SHIFT][2 * (entry & (ARRAY_ENTRIES - 1)) + side] - OFFSET;
    }

    private void setLink(int entry, int side, int other)
    {
        arrays[entry >>> ARRAY_SHIFT][2 * (entry & (ARRAY_ENTRIES - 1)) + side] = other + OFFSET;
    }

    private void grow(int entry)
    {
        int array = entry >>> ARRAY_SHIFT;
        if (array >= arrays.length) {
            int before = arrays.length;
            arrays = Arrays.copyOf(arrays, array + 1);
            for (int i = before; i <= array; i++) {
                arrays[i] = new int[ARRAY_ENTRIES * 2];
            }
        }
    }
}
