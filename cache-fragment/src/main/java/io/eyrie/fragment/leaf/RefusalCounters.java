// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import io.eyrie.cache.metric.Metric;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Counts the leaves that were examined, and the reasons for refusals. Thread-safe. */
public final class RefusalCounters
{
    private final LongAdder accepted = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Map<Refusal, LongAdder> reasons = new EnumMap<>(Refusal.class);

    public RefusalCounters()
    {
        for (Refusal reason : Refusal.values()) {
            reasons.put(reason, new LongAdder());
        }
    }

    /** Counts a leaf: as accepted if {@code against} is empty, else once as refused and once under each reason. */
    public void count(Set<Refusal> against)
    {
        (against.isEmpty() ? accepted : refused).increment();
        reasons.forEach((reason, count) -> {
            if (against.contains(reason)) {
                count.increment();
            }
        });
    }

    @Metric(value = "leaf fragments replaced in plans, so that their results can be cached", name = "acceptedLeaves")
    public long accepted()
    {
        return accepted.sum();
    }

    @Metric(value = "leaf fragments left as Presto planned them", name = "refusedLeaves")
    public long refused()
    {
        return refused.sum();
    }

    /** Returns the number of leaves by reason; a leaf refused for two reasons counts under both. */
    public Map<Refusal, Long> reasons()
    {
        Map<Refusal, Long> counts = new EnumMap<>(Refusal.class);
        reasons.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }
}
