// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.store.OutcomeCounters;
import io.eyrie.cache.store.PageStoreStats;
import io.eyrie.cache.store.ReadOutcome;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a page cache; {@link FetchStats} describes those of fetches. Thread-safe. */
final class CacheCounters
{
    final OutcomeCounters outcomes = new OutcomeCounters();
    final LongAdder remoteReadFailures = new LongAdder();
    final LongAdder coalescedWaits = new LongAdder();
    final LongAdder fetchWaitTimeouts = new LongAdder();
    final LongAdder fetchRejections = new LongAdder();
    final LongAdder fileFetchRejections = new LongAdder();
    final LongAdder fetchMemoryRejections = new LongAdder();
    final LongAdder admissionRejections = new LongAdder();
    private final LongAdder remoteReads = new LongAdder();
    private final LongAdder remoteReadBytes = new LongAdder();

    void hit(int bytes)
    {
        outcomes.lookedUp(ReadOutcome.HIT);
        outcomes.hitBytes(bytes);
    }

    void remoteRead(int bytes)
    {
        remoteReads.increment();
        remoteReadBytes.add(bytes);
    }

    PageCacheStats snapshot(PageStoreStats store, long currentFetchBytes)
    {
        FetchStats fetch = new FetchStats(
                remoteReads.sum(),
                remoteReadBytes.sum(),
                remoteReadFailures.sum(),
                coalescedWaits.sum(),
                fetchWaitTimeouts.sum(),
                fetchRejections.sum(),
                fileFetchRejections.sum(),
                fetchMemoryRejections.sum(),
                admissionRejections.sum(),
                currentFetchBytes);
        return new PageCacheStats(outcomes.lookups(), fetch, outcomes.writes(), store);
    }
}
