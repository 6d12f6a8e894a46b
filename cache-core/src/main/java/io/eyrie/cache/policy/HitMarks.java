package io.eyrie.cache.policy;

/**
 * Whether each entry was hit, and one bit of the policy's own. Hits soon after the entry came do not count: a reader that takes a page in small
 * pieces has read it once. Hits are noted by any thread; the rest is for one at a time.
 */
final class HitMarks
{
    /*
     * Byte        tick of when the entry came or its hit was taken into account: 6 bits; flag: 1 bit; hit: 1 bit
     * Tick        Moves on when a 256th of all weight has come in, and comes round after a quarter of it. A hit that meets the old tick
     *             or the one after it by this chance is lost.
     * Races       Hits change the byte with compare-and-set, once, and are lost if it fails. The policy sets it: a hit at the same moment
     *             is lost, and one that has seen the byte of before finds it changed.
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

    /** Begins to wait for a hit, or takes one for granted. */
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

    /** Hit and flag of an entry in one number, from 0 to 3. */
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

    /** Says that so much has come in, of so much there is now. */
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
