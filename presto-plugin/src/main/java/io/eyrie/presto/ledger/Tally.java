// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the hits, misses and loads of one layer for one caller. Thread-safe. */
public final class Tally
{
    private final LongAdder hits = new LongAdder();
    private final LongAdder hitBytes = new LongAdder();
    private final LongAdder missBytes = new LongAdder();
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
