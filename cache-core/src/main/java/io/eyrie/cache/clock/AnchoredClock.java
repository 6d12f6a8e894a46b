// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.clock;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Returns the time of day in milliseconds since 1970, and yields correct ages even if the system clock jumps. It never goes back, and between two
 * calls it advances by the time that {@link System#nanoTime} measures, plus or minus at most an eighth of it. Thread-safe.
 */
public final class AnchoredClock
        implements LongSupplier
{
    /*
     * Anchor      The first anchor is the system clock's time. From an anchor on, this clock advances with the nanoseconds and corrects its difference
     *             from the system clock, in either direction, by at most an eighth of the time that passes. After a second the next call sets a
     *             new anchor at the current time of this clock. A jump that is reverted therefore has little effect, and one that persists is
     *             followed slowly.
     */
    public static final AnchoredClock SYSTEM = new AnchoredClock(System::currentTimeMillis, System::nanoTime);

    private static final int SLEW = 8;
    private static final long ANCHOR_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier wallMillis;
    private final LongSupplier nanos;
    private volatile Anchor anchor;

    /** At a moment of {@code nanos} this clock showed {@code epochNanos}, {@code behindNanos} behind the system clock. */
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
     * @param wallMillis a clock like {@link System#currentTimeMillis}, which may jump
     * @param nanos a clock like {@link System#nanoTime}, which does not
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
        // an anchor that another thread has set serves as well
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
