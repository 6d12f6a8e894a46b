// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.admission.LastDay;
import io.eyrie.cache.clock.AnchoredClock;
import io.eyrie.cache.journal.AppendOutcome;
import io.eyrie.cache.store.PastEviction;

import java.util.concurrent.atomic.LongAdder;

/** Counters of a directory, over all its periods of service. Thread-safe. */
final class TableCounters
{
    private final EvictedPages evicted = new EvictedPages();
    private final LastDay written = new LastDay(AnchoredClock.SYSTEM);
    private final LongAdder evictions = new LongAdder();
    private final LongAdder indexEvictions = new LongAdder();
    private final LongAdder expirations = new LongAdder();
    private final LongAdder memoryDeclines = new LongAdder();
    private final LongAdder spaceDeclines = new LongAdder();
    private final LongAdder journalDrops = new LongAdder();
    private final LongAdder incompatibleDrops = new LongAdder();
    private final LongAdder recoveredPages = new LongAdder();
    private final LongAdder recoveryDrops = new LongAdder();
    private final LongAdder outages = new LongAdder();
    private final LongAdder diskTimeouts = new LongAdder();

    void eviction(long fingerprint)
    {
        evictions.increment();
        evicted.add(fingerprint);
    }

    /** Counts an eviction for a quota or the index, which a larger store would not have avoided. */
    void evictionForLimit(long fingerprint)
    {
        evictions.increment();
        evicted.addForLimit(fingerprint);
    }

    /** Counts an eviction as one for room in the index, in addition to {@link #evictionForLimit}. */
    void indexEviction()
    {
        indexEvictions.increment();
    }

    /** Counts the evictions of a recovery, all of them for room in the index. */
    void indexEvictions(long pages)
    {
        evictions.add(pages);
        indexEvictions.add(pages);
    }

    /** Returns whether a page was recently evicted to make room, and whether a store with room for so many more would have it. */
    PastEviction pastEviction(long fingerprint, long pages)
    {
        if (!evicted.contains(fingerprint)) {
            return PastEviction.NONE;
        }
        return evicted.evictionsSince(fingerprint) < pages ? PastEviction.LATELY : PastEviction.EARLIER;
    }

    void written(long bytes)
    {
        written.add(bytes);
    }

    /** The bytes written in the last day. */
    long dayWrittenBytes()
    {
        return written.sum();
    }

    void expiration()
    {
        expirations.increment();
    }

    void memoryDecline()
    {
        memoryDeclines.increment();
    }

    void spaceDecline()
    {
        spaceDeclines.increment();
    }

    void append(AppendOutcome outcome)
    {
        if (outcome != AppendOutcome.ACCEPTED) {
            journalDrops.increment();
        }
    }

    void incompatible(long count)
    {
        incompatibleDrops.add(count);
    }

    void recovered(long pages, long drops)
    {
        recoveredPages.add(pages);
        recoveryDrops.add(drops);
    }

    void outage()
    {
        outages.increment();
    }

    void diskTimeout()
    {
        diskTimeouts.increment();
    }

    long outages()
    {
        return outages.sum();
    }

    long diskTimeouts()
    {
        return diskTimeouts.sum();
    }

    long evictions()
    {
        return evictions.sum();
    }

    long indexEvictions()
    {
        return indexEvictions.sum();
    }

    long expirations()
    {
        return expirations.sum();
    }

    long memoryDeclines()
    {
        return memoryDeclines.sum();
    }

    long spaceDeclines()
    {
        return spaceDeclines.sum();
    }

    long journalDrops()
    {
        return journalDrops.sum();
    }

    long incompatibleDrops()
    {
        return incompatibleDrops.sum();
    }

    long recoveredPages()
    {
        return recoveredPages.sum();
    }

    long recoveryDrops()
    {
        return recoveryDrops.sum();
    }
}
