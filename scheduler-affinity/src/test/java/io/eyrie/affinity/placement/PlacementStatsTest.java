// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class PlacementStatsTest
{
    private final PlacementStats stats = new PlacementStats();

    @Test
    void loadsOfQueriesAreLost()
            throws Exception
    {
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> queries = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                queries.add(executor.submit(() -> {
                    for (int j = 0; j < 1000; j++) {
                        stats.add(List.of(new NodeLoad("a", 1, 4, 100, 1, 0), new NodeLoad("b", 2, 2, 50, 0, 1)));
                    }
                }));
            }
            for (Future<?> query : queries) {
                query.get(60, TimeUnit.SECONDS);
            }
        }
        finally {
            executor.shutdownNow();
        }
        assertThat(stats.snapshot()).containsExactly(new NodeLoad("a", 4000, 16_000, 400_000, 4000, 0), new NodeLoad("b", 8000, 8000, 200_000, 0,
                4000));
        assertThat(stats.snapshot()).extracting(NodeLoad::nonPreferredShare).containsExactly(0.25, 0.5);
    }

    @Test
    void nodesThatLeftAreKept()
    {
        stats.add(List.of(new NodeLoad("a", 1, 1, 1, 0, 0), new NodeLoad("b", 1, 1, 1, 0, 0)));
        stats.retain(Set.of("b", "c"));
        assertThat(stats.snapshot()).extracting(NodeLoad::nodeId).containsExactly("b");
        assertThat(new NodeLoad("c", 0, 0, 0, 0, 0).nonPreferredShare()).isZero();
    }
}
