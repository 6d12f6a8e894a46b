package io.eyrie.cache.clock;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Gives the time of day in milliseconds since 1970, and ages that are right though the system's clock jumps: it never goes back, and between two
 * calls passes the time that {@link System#nanoTime} measures, give or take an eighth of it. Thread-safe.
 */
public final class AnchoredClock
        implements LongSupplier
{
    /*
     * Anchor      The first one is the system's clock. From an anchor on, this clock runs with the nanoseconds and makes up for the difference
     *             to the system's clock, in either direction, by an eighth of the time that passes. After a second the next call sets a
     *             new anchor, where this clock is by then. So a jump that is taken back costs nothing, and one that stays is followed slowly.
     */
    public static final AnchoredClock SYSTEM = new AnchoredClock(System::currentTimeMillis, System::nanoTime);

    private static final int SLEW = 8;
    private static final long ANCHOR_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier wallMillis;
    private final LongSupplier nanos;
    private volatile Anchor anchor;

    /** At a moment of {@code nanos} this clock was there, so much behind the system's clock. */
    private record Anchor(long nanos, long epochNanos, long behindNanos)
    {
        private long at(long nowNanos)
        {
            long passed = Math.max(0, nowNanos - nanos);
            long most = passed / SLEW;
            return epochNanos + passed + Math.max(-most, Math.min(most, behindNanos));
        }
    }

    /**
     * Starts at the system's time.
     *
     * @param wallMillis a clock as {@link System#currentTimeMillis}, which may jump
     * @param nanos a clock as {@link System#nanoTime}, which does not
     */
    public AnchoredClock(LongSupplier wallMillis, LongSupplier nanos)
    {
        this.wallMillis = wallMillis;
        this.nanos = nanos;
        anchor = new Anchor(nanos.getAsLong(), wallNanos(), 0);
    }

    private long wallNanos()
    {
        return TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong());
    }

    private synchronized void replace(Anchor before, Anchor next)
    {
        // if another thread has set one, that is as good
        if (anchor.equals(before)) {
            anchor = next;
        }
    }

    @Override
    public long getAsLong()
    {
        Anchor latest = anchor;
        long nowNanos = nanos.getAsLong();
        long epochNanos = latest.at(nowNanos);
        if (nowNanos - latest.nanos >= ANCHOR_NANOS) {
            replace(latest, new Anchor(nowNanos, epochNanos, wallNanos() - epochNanos));
        }
        return TimeUnit.NANOSECONDS.toMillis(epochNanos);
    }
}
