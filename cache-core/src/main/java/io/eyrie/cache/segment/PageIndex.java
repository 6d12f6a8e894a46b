// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;

/**
 * Finds the entry of a page by its fingerprint, and stores the page's metadata in primitive arrays. Any number of threads read without a lock;
 * writers hold one lock of the caller.
 */
final class PageIndex
{
    /*
     * Entries     numbers from 0, reused after removal, in arrays that never move; 32 bytes each
     * Table       open addressing, linear probing. Each place holds entry + 1, or a mark, and 5 bits of the hash, so that few other entries are
     *             examined. An entry's place changes only with a new table, so a reader never misses a page because it was moved. Filled to 88 % at
     *             most: 4.5 to 5.2 bytes a page. In small arrays, because a garbage collector cannot use the rest of a region behind a large array
     * Files       numbers of pages of the files with certain tags, one byte for eight places, so that the invalidation of a file without pages costs
     *             nothing. A count that does not fit into a byte remains unchanged until the next table
     * Reuse       versions, by stripes of fingerprints: incremented after a page can no longer be found and before its entry is released. If a reader
     *             sees the same version before and after, it has read the fields of one page; and because a slot belongs to the entry, the bytes of
     *             one page
     * Invariants  I1 readers find a page that is there, whatever else changes
     *             I2 a granule's bytes are written before its bit is set
     */
    static final int NONE = -1;
    static final int MAX_ENTRIES = (1 << 27) - 2;

    private static final int BYTES_PER_ENTRY = 2 * Long.BYTES + 4 * Integer.BYTES;
    private static final int ARRAY_BITS = 11;
    private static final int ARRAY_ENTRIES = 1 << ARRAY_BITS;
    private static final int ARRAY_MASK = ARRAY_ENTRIES - 1;
    private static final int PLACES_BITS = 11;
    private static final int ARRAY_PLACES = 1 << PLACES_BITS;
    private static final int PLACES_A_FILE = 8;
    private static final int ARRAY_FILES = 1 << 11;
    private static final int MOST_FILES = 255;
    private static final int STRIPES = 1 << 12;
    private static final int LEAST_TABLE = 64;
    private static final double MOST_FILLED = 0.88;
    private static final double GROWTH = 1.15;
    private static final double FILLING_GROWTH = 2;
    private static final double FILLED_GROWTH = 1.01;
    private static final int EMPTY = 0;
    private static final int ENTRY_BITS = 27;
    private static final int ENTRY_MASK = (1 << ENTRY_BITS) - 1;
    private static final int REMOVED = ENTRY_MASK;
    private static final int STORAGE_CLASS_SHIFT = 28;
    private static final int LENGTH_MASK = (1 << STORAGE_CLASS_SHIFT) - 1;

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final AtomicIntegerArray versions = new AtomicIntegerArray(STRIPES);
    private volatile EntryArrays[] entryArrays = {};
    private volatile Table table = new Table(LEAST_TABLE);
    // for writers only
    private int entries;
    private int firstFree = NONE;
    private int size;
    private int filled;
    private double growth = GROWTH;

    private static final class EntryArrays
    {
        private final long[] fingerprints = new long[ARRAY_ENTRIES];
        private final long[] granules = new long[ARRAY_ENTRIES];
        private final int[] locations = new int[ARRAY_ENTRIES];
        private final int[] scopes = new int[ARRAY_ENTRIES];
        private final int[] stamps = new int[ARRAY_ENTRIES];
        private final int[] lengths = new int[ARRAY_ENTRIES];
    }

    /* A table with a fixed number of places, all empty at first. */
    private static final class Table
    {
        private final int length;
        private final int[][] places;
        // for writers only
        private final byte[][] files;

        private Table(int length)
        {
            this.length = length;
            places = new int[(length + ARRAY_PLACES - 1) >>> PLACES_BITS][];
            for (int i = 0; i < places.length; i++) {
                places[i] = new int[Math.min(ARRAY_PLACES, length - (i << PLACES_BITS))];
            }
            files = new byte[length / (ARRAY_FILES * PLACES_A_FILE) + 1][ARRAY_FILES];
        }

        private int files(int fileTag)
        {
            int at = place(Mix.mix(fileTag), files.length * ARRAY_FILES);
            return Byte.toUnsignedInt(files[at / ARRAY_FILES][at % ARRAY_FILES]);
        }

        private void addFile(int fileTag, int pages)
        {
            int at = place(Mix.mix(fileTag), files.length * ARRAY_FILES);
            int count = Byte.toUnsignedInt(files[at / ARRAY_FILES][at % ARRAY_FILES]);
            if (count < MOST_FILES) {
                files[at / ARRAY_FILES][at % ARRAY_FILES] = (byte) (count + pages);
            }
        }

        private int get(int place)
        {
            return (int) INTS.getAcquire(places[place >>> PLACES_BITS], place & ARRAY_PLACES - 1);
        }

        private void set(int place, int value)
        {
            INTS.setRelease(places[place >>> PLACES_BITS], place & ARRAY_PLACES - 1, value);
        }

        private int next(int place)
        {
            return place + 1 == length ? 0 : place + 1;
        }

        private int previous(int place)
        {
            return place == 0 ? length - 1 : place - 1;
        }
    }

    private EntryArrays arrays(int entry)
    {
        return entryArrays[entry >>> ARRAY_BITS];
    }

    /** Returns the entry of a page, or {@link #NONE}. */
    int find(long fingerprint)
    {
        Table places = table;
        long hash = Mix.mix(fingerprint);
        int tag = tag(hash);
        int place = place(hash, places.length);
        while (true) {
            int value = places.get(place);
            if (value == EMPTY) {
                return NONE;
            }
            if (value >>> ENTRY_BITS == tag && value != REMOVED && fingerprint(entry(value)) == fingerprint) {
                return entry(value);
            }
            place = places.next(place);
        }
    }

    /** The version with which a reader starts: see {@link #isUnchanged}. */
    int version(long fingerprint)
    {
        return versions.getAcquire(stripe(fingerprint));
    }

    /** True if no page with this fingerprint has been removed since, so that all fields that were read from its entry belong together. */
    boolean isUnchanged(long fingerprint, int version)
    {
        VarHandle.acquireFence();
        return versions.getAcquire(stripe(fingerprint)) == version;
    }

    long fingerprint(int entry)
    {
        return (long) LONGS.getOpaque(arrays(entry).fingerprints, entry & ARRAY_MASK);
    }

    /** The published granules, as bits. */
    long granules(int entry)
    {
        return (long) LONGS.getAcquire(arrays(entry).granules, entry & ARRAY_MASK);
    }

    int location(int entry)
    {
        return (int) INTS.getOpaque(arrays(entry).locations, entry & ARRAY_MASK);
    }

    int scope(int entry)
    {
        return (int) INTS.getOpaque(arrays(entry).scopes, entry & ARRAY_MASK);
    }

    int stamp(int entry)
    {
        return (int) INTS.getOpaque(arrays(entry).stamps, entry & ARRAY_MASK);
    }

    int lengthBytes(int entry)
    {
        return (int) INTS.getOpaque(arrays(entry).lengths, entry & ARRAY_MASK) & LENGTH_MASK;
    }

    int storageClass(int entry)
    {
        return (int) INTS.getOpaque(arrays(entry).lengths, entry & ARRAY_MASK) >>> STORAGE_CLASS_SHIFT;
    }

    /** Adds a page that is not in the index, without granules. */
    int add(long fingerprint, int location, int scope, int stamp, int lengthBytes, int storageClass)
    {
        int entry = allocate();
        EntryArrays arrays = arrays(entry);
        int i = entry & ARRAY_MASK;
        LONGS.setOpaque(arrays.granules, i, 0L);
        LONGS.setOpaque(arrays.fingerprints, i, fingerprint);
        INTS.setOpaque(arrays.locations, i, location);
        INTS.setOpaque(arrays.scopes, i, scope);
        INTS.setOpaque(arrays.stamps, i, stamp);
        INTS.setOpaque(arrays.lengths, i, storageClass << STORAGE_CLASS_SHIFT | lengthBytes);
        if (filled + 1 > table.length * MOST_FILLED) {
            rebuild();
        }
        insert(table, fingerprint, entry, true);
        size++;
        return entry;
    }

    /** Publishes granules whose bytes have been written. */
    void publish(int entry, long granules)
    {
        EntryArrays arrays = arrays(entry);
        int i = entry & ARRAY_MASK;
        LONGS.setRelease(arrays.granules, i, (long) LONGS.getOpaque(arrays.granules, i) | granules);
    }

    /** Removes a page; its entry number can be reused. */
    void remove(int entry)
    {
        long fingerprint = fingerprint(entry);
        Table places = table;
        int place = place(Mix.mix(fingerprint), places.length);
        while (places.get(place) == REMOVED || entry(places.get(place)) != entry) {
            place = places.next(place);
        }
        clear(places, place);
        places.addFile(Layout.fileTag(fingerprint), -1);
        // now: a reader that starts after this does not find the entry, one that started before sees the version change
        versions.getAndIncrement(stripe(fingerprint));
        VarHandle.storeStoreFence();
        EntryArrays arrays = arrays(entry);
        LONGS.setOpaque(arrays.granules, entry & ARRAY_MASK, 0L);
        INTS.setOpaque(arrays.locations, entry & ARRAY_MASK, firstFree);
        INTS.setOpaque(arrays.lengths, entry & ARRAY_MASK, 0);
        firstFree = entry;
        size--;
    }

    /** Marks a place as removed. If no search continues after it, marks it as empty instead, and also the removed places before it. */
    private void clear(Table places, int place)
    {
        if (places.get(places.next(place)) != EMPTY) {
            places.set(place, REMOVED);
            return;
        }
        int cleared = place;
        do {
            places.set(cleared, EMPTY);
            filled--;
            cleared = places.previous(cleared);
        }
        while (places.get(cleared) == REMOVED);
    }

    private int allocate()
    {
        if (firstFree != NONE) {
            int entry = firstFree;
            firstFree = location(entry);
            return entry;
        }
        if (entries >>> ARRAY_BITS == entryArrays.length) {
            EntryArrays[] more = Arrays.copyOf(entryArrays, entryArrays.length + 1);
            more[entryArrays.length] = new EntryArrays();
            entryArrays = more;
        }
        return entries++;
    }

    /** Prepares for many additions in a row: the table grows in larger steps. */
    void startFilling()
    {
        growth = FILLING_GROWTH;
    }

    /** Reserves space for about this many pages. */
    void expect(int pages)
    {
        rebuild(Math.max(table.length, filledTable(pages)));
    }

    /** Ends the additions: the table releases the space that it does not need. */
    void endFilling()
    {
        growth = GROWTH;
        // not if about as many pages came as expected
        if (table.length > filledTable(size) * FILLED_GROWTH) {
            rebuild(filledTable(size));
        }
    }

    private static int filledTable(int pages)
    {
        return (int) (leastTable(pages) * FILLED_GROWTH);
    }

    private static int leastTable(int pages)
    {
        return (int) Math.max(LEAST_TABLE, (pages + 1) / MOST_FILLED + 1);
    }

    private void rebuild()
    {
        rebuild(size + 1 > table.length * MOST_FILLED / GROWTH ? (int) (leastTable(size) * growth) : table.length);
    }

    private void rebuild(int length)
    {
        Table places = new Table(length);
        Table old = table;
        filled = 0;
        for (int place = 0; place < old.length; place++) {
            int value = old.get(place);
            if (value != EMPTY && value != REMOVED) {
                insert(places, fingerprint(entry(value)), entry(value), false);
            }
        }
        table = places;
    }

    private void insert(Table places, long fingerprint, int entry, boolean reuse)
    {
        long hash = Mix.mix(fingerprint);
        int place = place(hash, places.length);
        while (places.get(place) != EMPTY && (!reuse || places.get(place) != REMOVED)) {
            place = places.next(place);
        }
        if (places.get(place) == EMPTY) {
            filled++;
        }
        places.set(place, tag(hash) << ENTRY_BITS | entry + 1);
        places.addFile(Layout.fileTag(fingerprint), 1);
    }

    /** Whether there may be a page of a file. For writers only. */
    boolean mayHaveFile(int fileTag)
    {
        return table.files(fileTag) != 0;
    }

    int size()
    {
        return size;
    }

    /** All entry numbers are below this one. */
    int entries()
    {
        return entries;
    }

    /** Whether a page has this entry number. For writers only. */
    boolean isUsed(int entry)
    {
        return lengthBytes(entry) != 0;
    }

    /** Visits every page. For writers only; the visitor may remove pages. */
    void forEach(IntConsumer action)
    {
        for (int entry = 0; entry < entries; entry++) {
            if (isUsed(entry)) {
                action.accept(entry);
            }
        }
    }

    private static int stripe(long fingerprint)
    {
        return (int) (Mix.mix(fingerprint) & (STRIPES - 1));
    }

    private static int place(long hash, int length)
    {
        return (int) (((hash >>> 32) * length) >>> 32);
    }

    private static int tag(long hash)
    {
        return (int) hash >>> ENTRY_BITS;
    }

    private static int entry(int value)
    {
        return (value & ENTRY_MASK) - 1;
    }

    /** The memory that the index takes. */
    long memoryBytes()
    {
        return (long) entryArrays.length * ARRAY_ENTRIES * BYTES_PER_ENTRY + (long) table.length * Integer.BYTES
                + (long) table.files.length * ARRAY_FILES + (long) STRIPES * Integer.BYTES;
    }
}
