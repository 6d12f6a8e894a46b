package io.eyrie.fragment.leaf;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** How many leaves were looked at, and why those that were refused were. Thread-safe. */
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

    /** Counts a leaf: as accepted if nothing is held against it, else once as refused and once under each reason. */
    public void count(Set<Refusal> against)
    {
        (against.isEmpty() ? accepted : refused).increment();
        reasons.forEach((reason, count) -> {
            if (against.contains(reason)) {
                count.increment();
            }
        });
    }

    public long accepted()
    {
        return accepted.sum();
    }

    public long refused()
    {
        return refused.sum();
    }

    /** Leaves by reason; one that was refused for two reasons is in both. */
    public Map<Refusal, Long> reasons()
    {
        Map<Refusal, Long> counts = new EnumMap<>(Refusal.class);
        reasons.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }
}
