// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Remembers the fingerprints of pages that were recently evicted to make room, and how many were evicted since. A later page may overwrite an earlier one: of as
 * many evictions as half its places, it remembers at least three in five. Thread-safe, without locks.
 */
final class EvictedPages
{
    static final int LEAST_PLACES = 1 << 17;
    private static final int MOST_PLACES = 1 << 22;
    private static final int PLACES_PER_PAGE = 2;
    private static final int BYTES_PER_PLACE = 2 * Integer.BYTES;
    private static final int PART_OF_INDEX = 8;

    private final AtomicIntegerArray places;
    // the number of each eviction; may wrap around
    private final AtomicIntegerArray numbers;
    private final AtomicInteger evictions = new AtomicInteger();

    /** @param size a power of two */
    EvictedPages(int size)
    {
        places = new AtomicIntegerArray(size);
        numbers = new AtomicIntegerArray(size);
    }

    /** Returns the number of places that a directory of so many full pages needs, within an eighth of its index memory, but at least {@link #LEAST_PLACES}. */
    static int size(long fullPages, long indexMemoryBytes)
    {
        long bound = Math.min(MOST_PLACES, indexMemoryBytes / PART_OF_INDEX / BYTES_PER_PLACE);
        long wanted = Long.highestOneBit(Math.max(1, PLACES_PER_PAGE * Math.min(fullPages, MOST_PLACES) - 1)) << 1;
        return (int) Math.max(LEAST_PLACES, Math.min(wanted, Long.highestOneBit(bound)));
    }

    /** Returns the memory of the places beyond {@link #LEAST_PLACES}, which the index gives up. */
    static long extraBytes(int size)
    {
        return (long) (size - LEAST_PLACES) * BYTES_PER_PLACE;
    }

    void add(long fingerprint)
    {
        int place = place(fingerprint);
        numbers.setOpaque(place, evictions.incrementAndGet());
        places.setOpaque(place, mark(fingerprint));
    }

    /** True for an evicted page; true for another page with a probability of one in four billion. */
    boolean contains(long fingerprint)
    {
        return places.getOpaque(place(fingerprint)) == mark(fingerprint);
    }

    /** Returns how many pages were evicted since a page that {@link #contains} finds. */
    int evictionsSince(long fingerprint)
    {
        return evictions.get() - numbers.getOpaque(place(fingerprint));
    }

    private int place(long fingerprint)
    {
        return (int) Mix.mix(fingerprint) & (places.length() - 1);
    }

    private static int mark(long fingerprint)
    {
        int mark = (int) (Mix.mix(fingerprint) >>> Integer.SIZE);
        // 0 marks an empty place
        return mark == 0 ? 1 : mark;
    }
}
