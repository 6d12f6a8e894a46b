// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.peers.Variant;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class FragmentBenchmarkTest
{
    @Test
    void warmRatiosAreOfEachPeerAndColdOnesWhatOursCosts()
    {
        Map<Variant, List<Double>> seconds = Map.of(
                Variant.OURS, List.of(0.5),
                Variant.VANILLA, List.of(5.0),
                Variant.RAPTORX, List.of(0.5),
                Variant.FLOOR, List.of(0.25));

        List<BenchResult> warm = FragmentBenchmark.warm("q1", seconds, Map.of(Variant.VANILLA, 12.0, Variant.RAPTORX, 0.9));

        assertThat(warm).extracting(BenchResult::metric).containsOnly("warm-time");
        assertThat(warm).extracting(BenchResult::peerName).containsExactly("vanilla", "raptorx", "floor");
        assertThat(warm).extracting(BenchResult::ratio).containsExactly(10.0, 1.0, 0.5);
        assertThat(warm).extracting(BenchResult::holds).containsExactly(false, true, null);
        assertThat(FragmentBenchmark.cold("q1", seconds)).satisfies(cold -> {
            assertThat(cold.metric()).isEqualTo("cold-time");
            assertThat(cold.ratio()).isEqualTo(1.0);
            assertThat(cold.holds()).isTrue();
        });
    }
}
