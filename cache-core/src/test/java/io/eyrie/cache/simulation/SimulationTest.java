// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.simulation;

import io.eyrie.cache.policy.EvictionKind;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

final class SimulationTest
{
    @Property(tries = 200)
    void lruAsAListWould(@ForAll @Size(max = 200) List<@IntRange(max = 15) Integer> pages, @ForAll @IntRange(min = 1, max = 16) int capacity)
    {
        LinkedHashSet<Integer> cached = new LinkedHashSet<>();
        long hits = 0;
        for (Integer page : pages) {
            if (cached.remove(page)) {
                hits++;
            }
            else if (cached.size() == capacity) {
                cached.remove(cached.iterator().next());
            }
            cached.add(page);
        }
        assertThat(Simulation.of(EvictionKind.LRU, accesses(pages), capacity))
                .isEqualTo(new Simulation(pages.size(), hits, pages.size(), hits));
    }

    @Property(tries = 200)
    void optimumAsTryingEverythingFinds(@ForAll @Size(max = 9) List<@IntRange(max = 4) Integer> pages,
            @ForAll @IntRange(min = 1, max = 3) int capacity)
    {
        assertThat(Simulation.optimum(accesses(pages), capacity).hits()).isEqualTo(mostHits(pages, 0, Set.of(), capacity));
    }

    @Property(tries = 100)
    void noPolicyIsBetterThanTheOptimum(@ForAll @Size(max = 300) List<@IntRange(max = 30) Integer> pages,
            @ForAll @IntRange(min = 1, max = 31) int capacity)
    {
        long most = Simulation.optimum(accesses(pages), capacity).hits();
        for (EvictionKind kind : EvictionKind.values()) {
            assertThat(Simulation.of(kind, accesses(pages), capacity).hits()).isLessThanOrEqualTo(most);
        }
    }

    @Test
    void weightsCount()
    {
        PageAccesses accesses = new PageAccesses(new long[] {1, 2, 3, 1, 2, 3, 4, 4}, new int[] {5, 5, 1, 5, 5, 1, 100, 100});

        assertThat(Simulation.of(EvictionKind.LRU, accesses, 11)).isEqualTo(new Simulation(8, 3, 222, 11));
        assertThat(Simulation.of(EvictionKind.LRU, accesses, 10)).isEqualTo(new Simulation(8, 0, 222, 0));
        assertThat(Simulation.optimum(accesses, 10)).isEqualTo(new Simulation(8, 2, 222, 10));
        assertThat(accesses.footprintBytes()).isEqualTo(111);
    }

    @Test
    void syntheticTracesAreTheSameEachTime()
    {
        for (SyntheticTrace trace : SyntheticTrace.values()) {
            PageAccesses accesses = trace.generate();
            PageAccesses again = trace.generate();
            assertThat(again.pages()).isEqualTo(accesses.pages());
            assertThat(again.lengthBytes()).isEqualTo(accesses.lengthBytes());
            assertThat(Arrays.stream(accesses.lengthBytes()).min().orElseThrow()).isPositive();
        }
    }

    @Test
    void scansAreWhatSeparatesThePolicies()
    {
        PageAccesses accesses = SyntheticTrace.SCANS.generate();
        long capacityBytes = accesses.footprintBytes() / 10;

        double lru = Simulation.of(EvictionKind.LRU, accesses, capacityBytes).hitRatio();
        assertThat(Simulation.of(EvictionKind.S3_FIFO, accesses, capacityBytes).hitRatio()).isGreaterThan(lru + 0.15);
    }

    private static PageAccesses accesses(List<Integer> pages)
    {
        int[] lengths = new int[pages.size()];
        Arrays.fill(lengths, 1);
        return new PageAccesses(pages.stream().mapToLong(page -> page).toArray(), lengths);
    }

    private static long mostHits(List<Integer> pages, int from, Set<Integer> cached, int capacity)
    {
        if (from == pages.size()) {
            return 0;
        }
        Integer page = pages.get(from);
        if (cached.contains(page)) {
            return 1 + mostHits(pages, from + 1, cached, capacity);
        }
        long most = mostHits(pages, from + 1, cached, capacity);
        Set<Integer> with = new TreeSet<>(cached);
        with.add(page);
        if (with.size() <= capacity) {
            return Math.max(most, mostHits(pages, from + 1, with, capacity));
        }
        for (Integer victim : cached) {
            Set<Integer> without = new TreeSet<>(with);
            without.remove(victim);
            most = Math.max(most, mostHits(pages, from + 1, without, capacity));
        }
        return most;
    }
}
