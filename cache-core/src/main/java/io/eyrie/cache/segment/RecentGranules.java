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
     * What was asked for since its part was last looked at stays: so a unit that is read all the time never goes.
     */
    private static final int PLACES = 1 << 15;
    private static final int PARTS = 128;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);

    private final long[] fingerprints = new long[PLACES];
    private final long[] granules = new long[PLACES];
    // 1 where something was asked for or added since
    private final byte[] used = new byte[PLACES];
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
        if ((long) LONGS.getOpaque(fingerprints, place) != fingerprint || ((long) LONGS.getOpaque(granules, place) & wanted) != wanted) {
            return false;
        }
        use(place);
        return true;
    }

    private void use(int place)
    {
        // not written for nothing: others read the same line
        if ((byte) BYTES.getOpaque(used, place) == 0) {
            BYTES.setOpaque(used, place, (byte) 1);
        }
    }

    void add(long fingerprint, long added)
    {
        int place = place(fingerprint);
        long before = (long) LONGS.getOpaque(fingerprints, place) == fingerprint ? (long) LONGS.getOpaque(granules, place) : 0;
        LONGS.setOpaque(granules, place, before | added);
        LONGS.setOpaque(fingerprints, place, fingerprint);
        use(place);
    }

    /** Forgets of a part what was not used since that part's last turn. */
    void forgetSome()
    {
        int part = PLACES / PARTS;
        for (int place = nextPart * part; place < (nextPart + 1) * part; place++) {
            if ((byte) BYTES.getOpaque(used, place) == 0) {
                LONGS.setOpaque(granules, place, 0L);
            }
            BYTES.setOpaque(used, place, (byte) 0);
        }
        nextPart = (nextPart + 1) % PARTS;
    }

    void forgetAll()
    {
        Arrays.fill(granules, 0);
    }
}
