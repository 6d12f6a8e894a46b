package io.eyrie.cache.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Which granules were read or written lately, so that the operating system should have them in memory. May err both ways. Thread-safe, without
 * locks.
 */
final class RecentGranules
{
    /*
     * A unit has one place, by its fingerprint, that others take from it. Fingerprint and granules are written one after the other: a reader
     * may take one unit's granules for another's, which is an error like that of a granule that the system gave up.
     */
    private static final int PLACES = 1 << 15;
    private static final int PARTS = 128;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] fingerprints = new long[PLACES];
    private final long[] granules = new long[PLACES];
    // for the one thread that forgets
    private int nextPart;

    private static int place(long fingerprint)
    {
        return (int) Mix.mix(fingerprint) & PLACES - 1;
    }

    /** Whether all these granules of a unit were. */
    boolean has(long fingerprint, long wanted)
    {
        int place = place(fingerprint);
        return (long) LONGS.getOpaque(fingerprints, place) == fingerprint && ((long) LONGS.getOpaque(granules, place) & wanted) == wanted;
    }

    void add(long fingerprint, long added)
    {
        int place = place(fingerprint);
        long before = (long) LONGS.getOpaque(fingerprints, place) == fingerprint ? (long) LONGS.getOpaque(granules, place) : 0;
        LONGS.setOpaque(granules, place, before | added);
        LONGS.setOpaque(fingerprints, place, fingerprint);
    }

    /** Forgets a part, so that all is forgotten after some times. */
    void forgetSome()
    {
        int part = PLACES / PARTS;
        for (int place = nextPart * part; place < (nextPart + 1) * part; place++) {
            LONGS.setOpaque(granules, place, 0L);
        }
        nextPart = (nextPart + 1) % PARTS;
    }

    void forgetAll()
    {
        Arrays.fill(granules, 0);
    }
}
