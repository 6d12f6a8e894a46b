package io.eyrie.cache.page;

import java.util.concurrent.atomic.LongAdder;

/** What a page cache counts. Thread-safe. */
final class CacheCounters
{
    private final LongAdder lookups = new LongAdder();
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

    void lookup()
    {
        lookups.increment();
    }

    /** Ends a lookup. */
    void lookedUp(ReadOutcome outcome, int bytes)
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
        if (outcome == ReadOutcome.HIT) {
            hitBytes.add(bytes);
        }
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

    void write(WriteOutcome outcome, int bytes)
    {
        LongAdder counter = switch (outcome) {
            case STORED -> writes;
            case DECLINED, STALE -> declinedWrites;
            case DEVICE_ERROR -> failedWrites;
        };
        counter.increment();
        if (outcome == WriteOutcome.STORED) {
            writtenBytes.add(bytes);
        }
    }

    PageCacheStats snapshot(PageStoreStats store)
    {
        return new PageCacheStats(
                lookups.sum(),
                hits.sum(),
                misses.sum(),
                declined.sum(),
                corruptions.sum(),
                deviceErrors.sum(),
                busy.sum(),
                hitBytes.sum(),
                remoteReads.sum(),
                remoteReadBytes.sum(),
                remoteReadFailures.sum(),
                coalescedWaits.sum(),
                fetchWaitTimeouts.sum(),
                fetchRejections.sum(),
                store.evictions(),
                writes.sum(),
                writtenBytes.sum(),
                declinedWrites.sum(),
                failedWrites.sum(),
                store.incompatibleDrops(),
                store.currentBytes(),
                store.currentPages(),
                store.capacityBytes(),
                store.currentQuarantinedDirectories());
    }
}
