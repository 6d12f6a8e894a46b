// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

/**
 * A hit mark and a flag of the policy for each entry. Hits soon after an entry was added do not count: a reader that takes a page in small reads
 * has read it once. Any thread may record hits; the other methods are for one thread at a time.
 */
final class HitMarks
{
    /*
     * Byte        tick at which the entry was added or its hit was processed: 6 bits; flag: 1 bit; hit: 1 bit
     * Tick        Advances when a 256th of the total weight has been added, and wraps around after a quarter of it. A hit is lost if the tick has
     *             by chance wrapped to the old value or the one after it.
     * Races       A hit tries one compare-and-set of the byte, and is lost if that fails. The policy overwrites the byte: a simultaneous hit is
     *             lost, and a hit that read the byte before fails its compare-and-set.
     */
    private static final int HIT = 1;
    private static final int FLAG = 2;
    private static final int STATE_MASK = FLAG | HIT;
    private static final int TICK_SHIFT = 2;
    private static final int TICKS = 64;
    private static final int TICKS_A_TURNOVER = 256;

    private final EntryBytes bytes = new EntryBytes();
    private volatile int tick;
    private long weightSinceTick;

    void hit(int entry)
    {
        int before = bytes.get(entry);
        if ((before & HIT) == 0 && isOld(before >>> TICK_SHIFT) && bytes.contains(entry)) {
            bytes.exchange(entry, before, before | HIT);
        }
    }

    /** At least one whole tick ago. */
    private boolean isOld(int then)
    {
        return Math.floorMod(tick - then, TICKS) > 1;
    }

    /** Makes room for an entry. */
    void grow(int entry)
    {
        bytes.grow(entry);
    }

    /** Starts to wait for a hit, or marks the entry as hit. */
    void start(int entry, boolean flag, boolean hit)
    {
        bytes.set(entry, (tick << TICK_SHIFT) | (flag ? FLAG : 0) | (hit ? HIT : 0));
    }

    boolean isHit(int entry)
    {
        return isHitIn(bytes.get(entry));
    }

    boolean flag(int entry)
    {
        return flagIn(bytes.get(entry));
    }

    /** The hit and flag of an entry as one number, from 0 to 3. */
    int state(int entry)
    {
        return bytes.get(entry) & STATE_MASK;
    }

    static boolean isHitIn(int state)
    {
        return (state & HIT) != 0;
    }

    static boolean flagIn(int state)
    {
        return (state & FLAG) != 0;
    }

    /** Records that weight was added, and the total weight including it. */
    void advance(long weightBytes, long allBytes)
    {
        weightSinceTick += weightBytes;
        if (weightSinceTick >= allBytes / TICKS_A_TURNOVER) {
            weightSinceTick = 0;
            int next = tick + 1;
            tick = next % TICKS;
        }
    }

    long memoryBytes()
    {
        return bytes.memoryBytes();
    }
}
