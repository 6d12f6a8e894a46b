// SPDX-License-Identifier: Apache-2.0
package io.eyrie.alluxio;

import alluxio.metrics.MetricKey;
import alluxio.metrics.MetricsSystem;
import io.eyrie.cache.page.FetchStats;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.store.OutcomeCounters;
import io.eyrie.cache.store.PageStoreStats;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;

import java.util.concurrent.atomic.LongAdder;

/** Counters of reads through Alluxio's client and their outcomes. Thread-safe. */
final class Counters
{
    private final OutcomeCounters outcomes = new OutcomeCounters();
    private final LongAdder remoteReads = new LongAdder();
    private final LongAdder remoteReadBytes = new LongAdder();
    private final LongAdder remoteReadFailures = new LongAdder();
    private final LongAdder indexEvictions = new LongAdder();

    /** @param found Alluxio's answer: the number of bytes, 0 for a missing page, negative for a page that it could not read */
    void lookup(int found)
    {
        if (found > 0) {
            outcomes.lookedUp(ReadOutcome.HIT);
            outcomes.hitBytes(found);
        }
        else {
            outcomes.lookedUp(found == 0 ? ReadOutcome.MISS : ReadOutcome.DEVICE_ERROR);
        }
    }

    void remoteRead(long bytes, boolean arrived)
    {
        remoteReads.increment();
        remoteReadBytes.add(bytes);
        if (!arrived) {
            remoteReadFailures.increment();
        }
    }

    void write(boolean kept, long bytes)
    {
        outcomes.written(kept ? WriteOutcome.STORED : WriteOutcome.DEVICE_ERROR, bytes);
    }

    /** Counts a page that was dropped because the memory for the index was used up. */
    void indexEviction()
    {
        indexEvictions.increment();
    }

    PageCacheStats snapshot(long currentBytes, long currentPages, long capacityBytes)
    {
        long indexEvictionCount = indexEvictions.sum();
        // Alluxio counts evictions for all its caches in a process together
        long evictions = MetricsSystem.meter(MetricKey.CLIENT_CACHE_PAGES_EVICTED.getName()).getCount() + indexEvictionCount;
        return new PageCacheStats(
                outcomes.lookups(),
                FetchStats.of(remoteReads.sum(), remoteReadBytes.sum(), remoteReadFailures.sum()),
                outcomes.writes(),
                PageStoreStats.of(evictions, indexEvictionCount, currentBytes, currentPages, capacityBytes));
    }
}
