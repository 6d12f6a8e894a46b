package io.eyrie.cache.segment;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** Remembers which pages left lately to make room, by fingerprint: a later one may take an earlier one's place. Thread-safe, without locks. */
final class EvictedPages
{
    private static final int PLACES = 1 << 17;

    private final AtomicIntegerArray places = new AtomicIntegerArray(PLACES);

    void add(long fingerprint)
    {
        places.setOpaque(place(fingerprint), mark(fingerprint));
    }

    /** True for a page that left; for another with a chance of one in four thousand millions. */
    boolean contains(long fingerprint)
    {
        return places.getOpaque(place(fingerprint)) == mark(fingerprint);
    }

    private static int place(long fingerprint)
    {
        return (int) Mix.mix(fingerprint) & PLACES - 1;
    }

    private static int mark(long fingerprint)
    {
        // 0 is an empty place
        return Math.max(1, (int) (Mix.mix(fingerprint) >>> Integer.SIZE));
    }
}
