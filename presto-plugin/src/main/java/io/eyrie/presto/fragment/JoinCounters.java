// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import io.eyrie.cache.metric.Metric;
import io.eyrie.fragment.join.JoinRefusal;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Counts the joins that were replaced in plans, the reasons why others were not, and build sides. Thread-safe. */
public final class JoinCounters
{
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder built = new LongAdder();
    private final LongAdder streamed = new LongAdder();
    private final Map<JoinRefusal, LongAdder> reasons = new EnumMap<>(JoinRefusal.class);

    JoinCounters()
    {
        for (JoinRefusal reason : JoinRefusal.values()) {
            reasons.put(reason, new LongAdder());
        }
    }

    void count(Set<JoinRefusal> against)
    {
        (against.isEmpty() ? accepted : refused).increment();
        reasons.forEach((reason, count) -> {
            if (against.contains(reason)) {
                count.increment();
            }
        });
    }

    void built(boolean inMemory)
    {
        (inMemory ? built : streamed).increment();
    }

    @Metric(value = "joins replaced in plans by one scan, so that their results can be cached", name = "acceptedJoins")
    public long accepted()
    {
        return accepted.sum();
    }

    @Metric(value = "joins below aggregations left as Presto planned them", name = "refusedJoins")
    public long refused()
    {
        return refused.sum();
    }

    @Metric(value = "build sides of cached joins held in memory", name = "joinBuilds")
    public long builds()
    {
        return built.sum();
    }

    @Metric(value = "build sides of cached joins beyond the memory for them, read again for each part of a split", name = "joinBuildsStreamed")
    public long streamedBuilds()
    {
        return streamed.sum();
    }

    long refused(JoinRefusal reason)
    {
        return reasons.getOrDefault(reason, refused).sum();
    }
}
