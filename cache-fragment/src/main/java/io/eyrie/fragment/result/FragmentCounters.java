// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of {@link FragmentResults}. Thread-safe. */
final class FragmentCounters
{
    final LongAdder hits = new LongAdder();
    final LongAdder narrowedHits = new LongAdder();
    final LongAdder subsumedHits = new LongAdder();
    final LongAdder waits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder undecodable = new LongAdder();
    final LongAdder busy = new LongAdder();
    final LongAdder lost = new LongAdder();
    final LongAdder sharedResults = new LongAdder();
    private final LongAdder hitBytes = new LongAdder();
    private final LongAdder savedInputBytes = new LongAdder();
    private final LongAdder savedCpuNanos = new LongAdder();
    private final LongAdder published = new LongAdder();
    private final LongAdder publishedBytes = new LongAdder();
    private final Map<Abandonment, LongAdder> abandoned = new EnumMap<>(Abandonment.class);

    FragmentCounters()
    {
        for (Abandonment reason : Abandonment.values()) {
            abandoned.put(reason, new LongAdder());
        }
    }

    void given(StoredResult result)
    {
        hitBytes.add(result.storedBytes());
        savedInputBytes.add(result.cost().inputBytes());
        savedCpuNanos.add(result.cost().cpuNanos());
    }

    void published(long bytes)
    {
        published.increment();
        publishedBytes.add(bytes);
    }

    void abandoned(Abandonment reason)
    {
        abandoned.computeIfPresent(reason, (ignored, count) -> {
            count.increment();
            return count;
        });
    }

    FragmentStats snapshot(long inFlightBytes)
    {
        long hit = hits.sum();
        long narrowed = narrowedHits.sum();
        long finer = subsumedHits.sum();
        long waited = waits.sum();
        long missed = misses.sum();
        Map<Abandonment, Long> counts = new EnumMap<>(Abandonment.class);
        abandoned.forEach((reason, count) -> counts.put(reason, count.sum()));
        return new FragmentStats(
                hit + narrowed + finer + waited + missed,
                hit,
                narrowed,
                finer,
                waited,
                missed,
                sharedResults.sum(),
                hitBytes.sum(),
                savedInputBytes.sum(),
                savedCpuNanos.sum(),
                published.sum(),
                publishedBytes.sum(),
                undecodable.sum(),
                busy.sum(),
                lost.sum(),
                counts,
                inFlightBytes);
    }
}
