// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import java.util.concurrent.atomic.LongAdder;

/** Counts the lookups and writes of a cache by outcome. Thread-safe. */
public final class OutcomeCounters
{
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder corruptions = new LongAdder();
    private final LongAdder deviceErrors = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final LongAdder hitBytes = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder declinedWrites = new LongAdder();
    private final LongAdder staleWrites = new LongAdder();
    private final LongAdder busyWrites = new LongAdder();
    private final LongAdder failedWrites = new LongAdder();

    /** Counts a lookup by its outcome. */
    public void lookedUp(ReadOutcome outcome)
    {
        LongAdder counter = switch (outcome) {
            case HIT -> hits;
            case MISS -> misses;
            case DECLINED -> declined;
            case BUSY -> busy;
            case CORRUPT -> corruptions;
            case DEVICE_ERROR -> deviceErrors;
        };
        counter.increment();
    }

    /** Counts bytes served from the cache. */
    public void hitBytes(long bytes)
    {
        hitBytes.add(bytes);
    }

    /** Counts a write by its outcome. */
    public void written(WriteOutcome outcome, long bytes)
    {
        LongAdder counter = switch (outcome) {
            case STORED -> writes;
            case DECLINED -> declinedWrites;
            case STALE -> staleWrites;
            case BUSY -> busyWrites;
            case DEVICE_ERROR -> failedWrites;
        };
        counter.increment();
        if (outcome == WriteOutcome.STORED) {
            writtenBytes.add(bytes);
        }
    }

    public LookupStats lookups()
    {
        return new LookupStats(hits.sum(), misses.sum(), declined.sum(), corruptions.sum(), deviceErrors.sum(), busy.sum(), hitBytes.sum());
    }

    public WriteStats writes()
    {
        return new WriteStats(writes.sum(), writtenBytes.sum(), declinedWrites.sum(), staleWrites.sum(), busyWrites.sum(), failedWrites.sum());
    }
}
