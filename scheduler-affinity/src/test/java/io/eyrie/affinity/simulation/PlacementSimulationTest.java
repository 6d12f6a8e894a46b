// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.simulation;

import io.eyrie.affinity.simulation.PlacementSimulation.Balance;
import io.eyrie.affinity.simulation.PlacementSimulation.Day;
import io.eyrie.affinity.simulation.PlacementSimulation.Movement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the bars of placement that do not depend on time. */
class PlacementSimulationTest
{
    private static final int KEYS = 1_000_000;
    private final PlacementSimulation eyrie = new PlacementSimulation(Placements::eyrie);

    @ParameterizedTest
    @ValueSource(ints = {8, 128, 1000})
    void keysAreLessEvenThanByChance(int nodes)
    {
        double byChance = LongStream.range(0, 2).mapToDouble(seed -> new PlacementSimulation(Placements.random(seed)).keysPerNode(nodes, KEYS)
                .maxOverMean()).average().orElseThrow();
        Balance balance = eyrie.keysPerNode(nodes, KEYS);
        assertThat(balance.maxOverMean()).isLessThanOrEqualTo(1.2 * byChance);
        // also for the excess over the mean, the only part that can differ
        assertThat(balance.maxOverMean() - 1).isLessThanOrEqualTo(2 * (byChance - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 128, 1000})
    void aSkewedLoadExceedsItsBound(int nodes)
    {
        assertThat(eyrie.zipfLoad(nodes, KEYS, KEYS, 1.1, 6).maxOverMean()).isLessThanOrEqualTo(1.10);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 128, 1000})
    void moreThanOneOfNMoves(int nodes)
    {
        Movement movement = eyrie.movement(nodes, KEYS / 4, 4);
        assertThat(movement.onJoin()).isBetween(0.9, 1.05);
        assertThat(movement.onLeave()).isBetween(0.9, 1.05);
        assertThat(movement.strayKeys()).isZero();
    }

    @Test
    void aDayOfAutoscalingCoolsTheCaches()
    {
        Day day = eyrie.autoscalingDay(DayTrace.DEFAULT);
        assertThat(day.pointsLost()).isLessThanOrEqualTo(3);
        assertThat(new PlacementSimulation(Placements::modular).autoscalingDay(DayTrace.DEFAULT).hitRatio()).isLessThan(day.hitRatio() - 0.1);
    }
}
