// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.affinity.simulation.PlacementStrategy;
import io.eyrie.testing.lake.Checkout;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Needs the engine's jars, which the build copies. */
class EngineHashingIT
{
    private static final List<String> NODES = IntStream.range(0, 10).mapToObj(i -> "worker-" + i).toList();
    private static final List<String> ONE_LESS = NODES.subList(0, 9);

    @Test
    void peersAreNotPrestos()
    {
        try (EngineHashing engine = new EngineHashing(Checkout.find().engineLib())) {
            assertThat(moved(engine::modular)).isGreaterThan(0.8);
            assertThat(moved(engine::ring)).isBetween(0.02, 0.4);
        }
    }

    private static double moved(PlacementStrategy.Factory factory)
    {
        PlacementStrategy all = factory.over(NODES);
        PlacementStrategy less = factory.over(ONE_LESS);
        return IntStream.range(0, 10_000).mapToObj(i -> "s3://lake/part-" + i).filter(path -> !all.owner(path).equals(less.owner(path))).count()
                / 1e4;
    }
}
