// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import io.eyrie.presto.config.FileStatisticsConfig;
import io.eyrie.presto.config.FileStatisticsConfig.StatisticsMode;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Limits what the coordinator reads of footers on a day, in UTC. Thread-safe. */
final class ReadBudget
{
    static final int STATE_BYTES = 3 * Long.BYTES;
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    private final boolean limited;
    private final long mostRequests;
    private final long mostBytes;
    private final LongSupplier millis;

    // guarded by this
    private long day;
    private long requests;
    private long bytes;

    ReadBudget(FileStatisticsConfig config, LongSupplier millis)
    {
        this.limited = config.mode() == StatisticsMode.BUDGETED;
        this.mostRequests = config.getDailyRequests();
        this.mostBytes = config.getDailySize().toBytes();
        this.millis = millis;
        this.day = today();
    }

    private long today()
    {
        return Math.floorDiv(millis.getAsLong(), DAY_MILLIS);
    }

    /** Whether another footer may be read today. */
    synchronized boolean isLeft()
    {
        turn();
        return !limited || (requests < mostRequests && bytes < mostBytes);
    }

    /**
     * Spends one request, unless nothing is left: the first of a footer, before it is read, so that other threads do not exceed the budget meanwhile.
     * Returns whether it did.
     */
    synchronized boolean begin()
    {
        boolean left = isLeft();
        if (left) {
            spend(1, 0);
        }
        return left;
    }

    /** @param moreRequests -1 if a footer that began needed none */
    synchronized void spend(long moreRequests, long moreBytes)
    {
        turn();
        requests = Math.max(0, requests + moreRequests);
        bytes += moreBytes;
    }

    /** Returns the day of the last request, and the requests and bytes of that day. */
    synchronized ByteBuffer state()
    {
        return ByteBuffer.allocate(STATE_BYTES).putLong(day).putLong(requests).putLong(bytes).flip();
    }

    /** Adds what an earlier process spent. */
    synchronized void restore(ByteBuffer state)
    {
        turn();
        if (state.getLong() == day) {
            requests += state.getLong();
            bytes += state.getLong();
        }
    }

    /* Begins a new day. */
    private void turn()
    {
        long now = today();
        if (now != day) {
            day = now;
            requests = 0;
            bytes = 0;
        }
    }
}
