// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.util.function.LongSupplier;

/** Decides when to replay the journal of a directory that fails repeatedly. Not thread-safe. */
final class BackOff
{
    /*
     * A replay that took long, compared to the interval of probes, and was useless is repeated after twice its time, then after four times its time,
     * up to MOST_MILLIS. It was useless if it failed, or if the directory failed within the time that the next replay would have had to wait.
     */
    private static final int CHEAP_SHARE = 2;
    private static final long MOST_MILLIS = 600_000;
    private static final int MOST_DOUBLINGS = 10;

    private final LongSupplier nowMillis;
    private final long cheapMillis;
    private int failures;
    private long begunMillis;
    private long costMillis;
    private long servingMillis;
    private long notBeforeMillis = Long.MIN_VALUE;

    BackOff(LongSupplier nowMillis, long probeIntervalMillis)
    {
        this.nowMillis = nowMillis;
        cheapMillis = probeIntervalMillis / CHEAP_SHARE;
    }

    boolean mayReplay()
    {
        return nowMillis.getAsLong() >= notBeforeMillis;
    }

    void begins()
    {
        begunMillis = nowMillis.getAsLong();
    }

    void succeeded()
    {
        servingMillis = nowMillis.getAsLong();
        costMillis = servingMillis - begunMillis;
    }

    void failed()
    {
        costMillis = nowMillis.getAsLong() - begunMillis;
        delay(nowMillis.getAsLong());
    }

    /** Notes that the directory failed after a successful replay. */
    void failedWhileServing()
    {
        long now = nowMillis.getAsLong();
        if (now - servingMillis < delayMillis()) {
            delay(now);
        }
        else {
            failures = 0;
        }
    }

    private void delay(long now)
    {
        if (costMillis >= cheapMillis && costMillis > 0) {
            notBeforeMillis = now + delayMillis();
            failures = Math.min(failures + 1, MOST_DOUBLINGS);
        }
    }

    private long delayMillis()
    {
        return Math.min(MOST_MILLIS, costMillis << (1 + failures));
    }
}
