// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts the hits, misses and loads of one layer for one caller. Thread-safe. */
public final class Tally
{
    private final LongAdder hits = new LongAdder();
    private final LongAdder hitBytes = new LongAdder();
    private final LongAdder missBytes = new LongAdder();
    private final LongAdder evictedBytes = new LongAdder();
    private final LongAdder lateEvictions = new LongAdder();
    private final LongAdder lateEvictionBytes = new LongAdder();
    private final LongAdder loads = new LongAdder();
    private final LongAdder loadBytes = new LongAdder();
    private final LongAdder loadNanos = new LongAdder();
    private final ConcurrentMap<MissReason, LongAdder> misses = new ConcurrentHashMap<>();

    void hits(long count, long bytes)
    {
        hits.add(count);
        hitBytes.add(bytes);
    }

    void misses(MissReason reason, long count, long bytes)
    {
        misses.computeIfAbsent(reason, any -> new LongAdder()).add(count);
        missBytes.add(bytes);
    }

    /** Counts a miss, which is also counted by its reason, of a page that was evicted. */
    void evicted(long bytes, boolean lately)
    {
        evictedBytes.add(bytes);
        if (lately) {
            lateEvictions.increment();
            lateEvictionBytes.add(bytes);
        }
    }

    void load(long bytes, long nanos)
    {
        loads.increment();
        loadBytes.add(bytes);
        loadNanos.add(nanos);
    }

    public long hits()
    {
        return hits.sum();
    }

    public long hitBytes()
    {
        return hitBytes.sum();
    }

    public long misses()
    {
        return misses.values().stream().mapToLong(LongAdder::sum).sum();
    }

    public long missBytes()
    {
        return missBytes.sum();
    }

    /** Returns the bytes of misses that had been evicted to make room. */
    public long evictedBytes()
    {
        return evictedBytes.sum();
    }

    /** Returns the misses that a store of twice the capacity would probably have served. */
    public long missesWithinDoubleSpace()
    {
        return lateEvictions.sum();
    }

    /** Returns the bytes of the misses that a store of twice the capacity would probably have served. */
    public long missBytesWithinDoubleSpace()
    {
        return lateEvictionBytes.sum();
    }

    /** Returns the reason of most misses; empty if there are none. */
    public Optional<MissReason> mostFrequentReason()
    {
        return Stream.of(MissReason.values()).filter(reason -> misses(reason) > 0).max(Comparator.comparingLong(this::misses));
    }

    /** Returns the number of misses for a reason. */
    public long misses(MissReason reason)
    {
        LongAdder count = misses.get(reason);
        return count == null ? 0 : count.sum();
    }

    /** Returns the number of requests to the source. */
    public long loads()
    {
        return loads.sum();
    }

    public long loadBytes()
    {
        return loadBytes.sum();
    }

    public long loadNanos()
    {
        return loadNanos.sum();
    }

    /** Returns the number of misses by reason, without reasons that did not occur. */
    public Map<String, Long> reasons()
    {
        Map<String, Long> reasons = new TreeMap<>();
        misses.forEach((reason, count) -> {
            if (count.sum() != 0) {
                reasons.put(reason.label(), count.sum());
            }
        });
        return reasons;
    }
}
