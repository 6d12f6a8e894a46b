// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.store.PageStoreStats;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a page cache. Thread-safe. */
final class CacheCounters
{
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder corruptions = new LongAdder();
    private final LongAdder deviceErrors = new LongAdder();
    private final LongAdder busy = new LongAdder();
    private final LongAdder hitBytes = new LongAdder();
    private final LongAdder remoteReads = new LongAdder();
    private final LongAdder remoteReadBytes = new LongAdder();
    private final LongAdder remoteReadFailures = new LongAdder();
    private final LongAdder coalescedWaits = new LongAdder();
    private final LongAdder fetchWaitTimeouts = new LongAdder();
    private final LongAdder fetchRejections = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder declinedWrites = new LongAdder();
    private final LongAdder failedWrites = new LongAdder();
    private final LongAdder staleWrites = new LongAdder();
    private final LongAdder busyWrites = new LongAdder();
    private final LongAdder fileFetchRejections = new LongAdder();
    private final LongAdder fetchMemoryRejections = new LongAdder();
    private final LongAdder admissionRejections = new LongAdder();

    /** Counts a lookup by its outcome. */
    void lookedUp(ReadOutcome outcome)
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

    void hit(int bytes)
    {
        hits.increment();
        hitBytes.add(bytes);
    }

    void hitBytes(int bytes)
    {
        hitBytes.add(bytes);
    }

    void remoteRead(int bytes)
    {
        remoteReads.increment();
        remoteReadBytes.add(bytes);
    }

    void remoteReadFailure()
    {
        remoteReadFailures.increment();
    }

    void coalescedWait()
    {
        coalescedWaits.increment();
    }

    void fetchWaitTimeout()
    {
        fetchWaitTimeouts.increment();
    }

    void fetchRejection()
    {
        fetchRejections.increment();
    }

    void fileFetchRejection()
    {
        fileFetchRejections.increment();
    }

    void fetchMemoryRejection()
    {
        fetchMemoryRejections.increment();
    }

    void admissionRejection()
    {
        admissionRejections.increment();
    }

    void write(WriteOutcome outcome, int bytes)
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

    PageCacheStats snapshot(PageStoreStats store, long currentFetchBytes)
    {
        long hit = hits.sum();
        long missed = misses.sum();
        long refused = declined.sum();
        long corrupt = corruptions.sum();
        long failed = deviceErrors.sum();
        long overloaded = busy.sum();
        return new PageCacheStats(
                // each lookup is counted once, when it ends, so the sum is always right
                hit + missed + refused + corrupt + failed + overloaded,
                hit,
                missed,
                refused,
                corrupt,
                failed,
                overloaded,
                hitBytes.sum(),
                remoteReads.sum(),
                remoteReadBytes.sum(),
                remoteReadFailures.sum(),
                coalescedWaits.sum(),
                fetchWaitTimeouts.sum(),
                fetchRejections.sum(),
                fileFetchRejections.sum(),
                fetchMemoryRejections.sum(),
                admissionRejections.sum(),
                store.evictions(),
                store.indexEvictions(),
                writes.sum(),
                writtenBytes.sum(),
                declinedWrites.sum(),
                staleWrites.sum(),
                busyWrites.sum(),
                failedWrites.sum(),
                store.incompatibleDrops(),
                store.expirations(),
                store.memoryDeclines(),
                store.spaceDeclines(),
                store.journalDrops(),
                store.recoveredPages(),
                store.recoveryDrops(),
                store.outages(),
                store.diskTimeouts(),
                store.currentBytes(),
                store.currentPages(),
                store.currentIndexBytes(),
                currentFetchBytes,
                store.capacityBytes(),
                store.currentQuarantinedDirectories());
    }
}
