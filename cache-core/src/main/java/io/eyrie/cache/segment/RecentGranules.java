// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Remembers which granules were read or written recently, so that the operating system should have them in memory. May be wrong both ways.
 * Thread-safe, without locks.
 */
final class RecentGranules
{
    /*
     * A unit has one place, given by its fingerprint, which other units may overwrite. The place holds 32 further bits of the fingerprint. They and the
     * granules are written one after the other, so a reader may take one unit's granules for another's. This error is like that of a granule that the
     * operating system has dropped. Places that were used since the last turn of their group remain, so a unit that is read all the time is never
     * forgotten.
     */
    private static final int PLACES = 1 << 15;
    private static final int GROUPS = 128;

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);

    private final int[] marks = new int[PLACES];
    private final long[] granules = new long[PLACES];
    // 1 if the place was used since the last turn of its group
    private final byte[] used = new byte[PLACES];
    // only for the thread that forgets
    private int nextGroup;

    private static int place(long mixed)
    {
        return (int) mixed & PLACES - 1;
    }

    private static int mark(long mixed)
    {
        return (int) (mixed >>> Integer.SIZE);
    }

    /** Whether all these granules of a unit were read or written recently. */
    boolean has(long fingerprint, long wanted)
    {
        long mixed = Mix.mix(fingerprint);
        int place = place(mixed);
        if ((int) INTS.getOpaque(marks, place) != mark(mixed) || ((long) LONGS.getOpaque(granules, place) & wanted) != wanted) {
            return false;
        }
        use(place);
        return true;
    }

    private void use(int place)
    {
        // not written needlessly: others read the same cache line
        if ((byte) BYTES.getOpaque(used, place) == 0) {
            BYTES.setOpaque(used, place, (byte) 1);
        }
    }

    void add(long fingerprint, long added)
    {
        long mixed = Mix.mix(fingerprint);
        int place = place(mixed);
        long before = (int) INTS.getOpaque(marks, place) == mark(mixed) ? (long) LONGS.getOpaque(granules, place) : 0;
        LONGS.setOpaque(granules, place, before | added);
        INTS.setOpaque(marks, place, mark(mixed));
        use(place);
    }

    /** Forgets, in one group, the places that were not used since that group's last turn. */
    void forgetSome()
    {
        int group = PLACES / GROUPS;
        for (int place = nextGroup * group; place < (nextGroup + 1) * group; place++) {
            if ((byte) BYTES.getOpaque(used, place) == 0) {
                LONGS.setOpaque(granules, place, 0L);
            }
            BYTES.setOpaque(used, place, (byte) 0);
        }
        nextGroup = (nextGroup + 1) % GROUPS;
    }

    void forgetAll()
    {
        Arrays.fill(granules, 0);
    }
}
