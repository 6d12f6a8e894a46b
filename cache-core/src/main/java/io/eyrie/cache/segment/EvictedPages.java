// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Remembers pages that were recently evicted to make room, and how many were evicted since. A later page may overwrite an earlier one.
 * Thread-safe, without locks.
 */
final class EvictedPages
{
    private static final int PLACES = 1 << 17;
    // four times the places: few older pages have not been overwritten
    private static final int NUMBER_BITS = 19;
    private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
    private static final int FOR_LIMIT = 0;

    // in the upper bits a part of the page's fingerprint, in the lower ones the number of the eviction, which wraps around
    private final AtomicIntegerArray places = new AtomicIntegerArray(PLACES);
    private final AtomicInteger evictions = new AtomicInteger();

    void add(long fingerprint)
    {
        set(fingerprint, number(evictions.incrementAndGet()));
    }

    /** Adds a page that a larger store would have evicted, too. */
    void addForLimit(long fingerprint)
    {
        set(fingerprint, FOR_LIMIT);
    }

    private void set(long fingerprint, int number)
    {
        places.setOpaque(place(fingerprint), (mark(fingerprint) << NUMBER_BITS) | number);
    }

    private static int number(int eviction)
    {
        return Math.max(FOR_LIMIT + 1, eviction & NUMBER_MASK);
    }

    /** True for an evicted page that was not overwritten; true for another page with a probability of at most one in 8,000. */
    boolean contains(long fingerprint)
    {
        return places.getOpaque(place(fingerprint)) >>> NUMBER_BITS == mark(fingerprint);
    }

    /** Returns how many pages of {@link #add} were evicted since one that {@link #contains} finds, modulo 524,288; the maximum for others. */
    int evictionsSince(long fingerprint)
    {
        int number = places.getOpaque(place(fingerprint)) & NUMBER_MASK;
        return number == FOR_LIMIT ? Integer.MAX_VALUE : (evictions.get() - number) & NUMBER_MASK;
    }

    private static int place(long fingerprint)
    {
        return (int) Mix.mix(fingerprint) & PLACES - 1;
    }

    private static int mark(long fingerprint)
    {
        int mark = (int) (Mix.mix(fingerprint) >>> (Integer.SIZE + NUMBER_BITS));
        // 0 marks an empty place
        return mark == 0 ? 1 : mark;
    }
}
