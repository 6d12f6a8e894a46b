// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Remembers the fingerprints of pages that were recently evicted to make room, and how many were evicted since. A later page may overwrite an earlier one.
 * Thread-safe, without locks.
 */
final class EvictedPages
{
    private static final int PLACES = 1 << 17;

    private final AtomicIntegerArray places = new AtomicIntegerArray(PLACES);
    // the number of each eviction; may wrap around
    private final AtomicIntegerArray numbers = new AtomicIntegerArray(PLACES);
    private final AtomicInteger evictions = new AtomicInteger();

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

    private static int place(long fingerprint)
    {
        return (int) Mix.mix(fingerprint) & PLACES - 1;
    }

    private static int mark(long fingerprint)
    {
        // 0 marks an empty place
        return Math.max(1, (int) (Mix.mix(fingerprint) >>> Integer.SIZE));
    }
}
