// SPDX-License-Identifier: Apache-2.0
package io.eyrie.alluxio;

import alluxio.metrics.MetricKey;
import alluxio.metrics.MetricsSystem;
import io.eyrie.cache.page.PageCacheStats;

import java.util.concurrent.atomic.LongAdder;

/** Counters of reads through Alluxio's client and their outcomes. Thread-safe. */
final class Counters
{
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder hitBytes = new LongAdder();
    private final LongAdder remoteReads = new LongAdder();
    private final LongAdder remoteReadBytes = new LongAdder();
    private final LongAdder remoteReadFailures = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder failedWrites = new LongAdder();
    private final LongAdder indexEvictions = new LongAdder();

    /** @param found Alluxio's answer: the number of bytes, 0 for a missing page, negative for a page that it could not read */
    void lookup(int found)
    {
        if (found > 0) {
            hits.increment();
            hitBytes.add(found);
        }
        else if (found == 0) {
            misses.increment();
        }
        else {
            errors.increment();
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
        if (kept) {
            writes.increment();
            writtenBytes.add(bytes);
        }
        else {
            failedWrites.increment();
        }
    }

    /** Counts a page that was dropped because the memory for the index was used up. */
    void indexEviction()
    {
        indexEvictions.increment();
    }

    PageCacheStats snapshot(long currentBytes, long currentPages, long capacityBytes)
    {
        long hitCount = hits.sum();
        long missCount = misses.sum();
        long errorCount = errors.sum();
        long indexEvictionCount = indexEvictions.sum();
        return new PageCacheStats(
                hitCount + missCount + errorCount,
                hitCount,
                missCount,
                0,
                0,
                errorCount,
                0,
                hitBytes.sum(),
                remoteReads.sum(),
                remoteReadBytes.sum(),
                remoteReadFailures.sum(),
                0,
                0,
                0,
                0,
                0,
                0,
                // Alluxio counts evictions for all its caches in a process together
                MetricsSystem.meter(MetricKey.CLIENT_CACHE_PAGES_EVICTED.getName()).getCount() + indexEvictionCount,
                indexEvictionCount,
                writes.sum(),
                writtenBytes.sum(),
                0,
                0,
                0,
                failedWrites.sum(),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                currentBytes,
                currentPages,
                0,
                0,
                capacityBytes,
                0);
    }
}
