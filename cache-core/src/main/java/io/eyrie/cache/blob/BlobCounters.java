// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a blob cache. Thread-safe. */
final class BlobCounters
{
    private final Map<ReadOutcome, LongAdder> lookups = new EnumMap<>(ReadOutcome.class);
    private final Map<WriteOutcome, LongAdder> writes = new EnumMap<>(WriteOutcome.class);
    private final LongAdder hitBytes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();

    BlobCounters()
    {
        Arrays.stream(ReadOutcome.values()).forEach(outcome -> lookups.put(outcome, new LongAdder()));
        Arrays.stream(WriteOutcome.values()).forEach(outcome -> writes.put(outcome, new LongAdder()));
    }

    void lookedUp(ReadOutcome outcome, long bytes)
    {
        adder(lookups, outcome).increment();
        if (outcome == ReadOutcome.HIT) {
            hitBytes.add(bytes);
        }
    }

    void written(WriteOutcome outcome, long bytes)
    {
        adder(writes, outcome).increment();
        if (outcome == WriteOutcome.STORED) {
            writtenBytes.add(bytes);
        }
    }

    BlobCacheStats snapshot()
    {
        EnumMap<ReadOutcome, Long> counts = new EnumMap<>(ReadOutcome.class);
        lookups.forEach((outcome, adder) -> counts.put(outcome, adder.sum()));
        return new BlobCacheStats(
                // each lookup is counted once, when it ends, so the sum is always right
                counts.values().stream().mapToLong(count -> count).sum(),
                counts.getOrDefault(ReadOutcome.HIT, 0L),
                counts.getOrDefault(ReadOutcome.MISS, 0L),
                counts.getOrDefault(ReadOutcome.DECLINED, 0L),
                counts.getOrDefault(ReadOutcome.CORRUPT, 0L),
                counts.getOrDefault(ReadOutcome.DEVICE_ERROR, 0L),
                counts.getOrDefault(ReadOutcome.BUSY, 0L),
                hitBytes.sum(),
                adder(writes, WriteOutcome.STORED).sum(),
                writtenBytes.sum(),
                adder(writes, WriteOutcome.DECLINED).sum(),
                adder(writes, WriteOutcome.STALE).sum(),
                adder(writes, WriteOutcome.BUSY).sum(),
                adder(writes, WriteOutcome.DEVICE_ERROR).sum());
    }

    private static <E extends Enum<E>> LongAdder adder(Map<E, LongAdder> adders, E outcome)
    {
        LongAdder adder = adders.get(outcome);
        if (adder == null) {
            throw new IllegalStateException("no counter for " + outcome);
        }
        return adder;
    }
}
