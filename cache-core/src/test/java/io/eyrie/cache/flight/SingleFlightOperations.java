// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.flight;

import io.eyrie.cache.thread.Schedules;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Concurrent callers that miss one key of a cache whose source does not change. One load serves all of them. {@code SchedulesIT} runs it. */
public class SingleFlightOperations
{
    private static final String KEY = "key";

    private final ConcurrentHashMap<String, Integer> cache = new ConcurrentHashMap<>();
    private final SingleFlight<String, Integer> flights = new SingleFlight<>(this::cached, Long.MAX_VALUE);
    private final AtomicInteger source = new AtomicInteger();
    private final AtomicInteger invalidated = new AtomicInteger();
    private final AtomicInteger loads = new AtomicInteger();

    /** Arguments: the number of scenarios, and of schedules of each. */
    public static void main(String[] args)
    {
        for (Class<?> operations : List.of(SingleFlightOperations.class, WithChanges.class)) {
            Schedules.check(operations, Schedules.AlwaysTrue.class, args);
        }
        Schedules.done();
    }

    private Optional<Integer> cached(String key)
    {
        return Optional.ofNullable(cache.get(key));
    }

    /** Returns whether the value is at least as new as the last invalidation that ended before. */
    @Operation
    public boolean read()
    {
        int least = invalidated.get();
        return cached(KEY).orElseGet(this::load) >= least;
    }

    private int load()
    {
        long epoch = flights.epoch();
        try (SingleFlight<String, Integer>.Load load = flights.join(KEY, epoch)) {
            Optional<Integer> shared = load.await();
            if (shared.isPresent()) {
                return shared.get();
            }
            loads.incrementAndGet();
            int value = source.get();
            boolean unused = flights.store(epoch, () -> cache.put(KEY, value));
            load.share(value);
            return value;
        }
    }

    @Validate
    public void oneLoadServesAll()
    {
        if (source.get() == 0 && loads.get() > 1) {
            throw new IllegalStateException("Loads of one key: " + loads);
        }
    }

    /** The same, while the source changes and the cache drops its value. */
    public static final class WithChanges
            extends SingleFlightOperations
    {
        @Operation
        public boolean change()
        {
            int changed = super.source.incrementAndGet();
            super.flights.invalidate(super.cache::clear);
            super.invalidated.accumulateAndGet(changed, Math::max);
            return true;
        }
    }
}
