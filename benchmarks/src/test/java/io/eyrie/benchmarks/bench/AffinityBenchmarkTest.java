// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.AffinityBenchmark.Pair;
import io.eyrie.benchmarks.bench.AffinityBenchmark.Passes;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class AffinityBenchmarkTest
{
    @Test
    void barsAreOfOursAndNamesAsAgreed()
    {
        List<BenchResult> results = AffinityBenchmark.results("stock-ring", List.of(new Pair(
                new Passes(1, 0.01, 1.02, 0.25, 0.29),
                new Passes(1.7, 0.4, 1.36, 0.6, 0.5))));

        assertThat(results).extracting(BenchResult::name).containsOnly("four-workers");
        assertThat(results).extracting(BenchResult::metric).containsExactly("ssd-over-distinct-bytes", "second-pass-hit-ratio", "remote-after-kill");
        assertThat(results).extracting(BenchResult::ours).containsExactly(1.02, 0.99, 0.29);
        assertThat(results).extracting(BenchResult::peer).containsExactly(1.36, 0.6, 0.6);
        assertThat(results).extracting(BenchResult::holds).containsExactly(true, true, true);
        assertThat(results.get(1).ratio()).isEqualTo(0.99 / 0.6);
    }

    @Test
    void barThatIsMissedHolds()
    {
        assertThat(AffinityBenchmark.results("stock-modular", List.of(new Pair(new Passes(1, 0.03, 1.06, 0.31, 0), new Passes(1, 1, 1, 1, 1)))))
                .extracting(BenchResult::holds).containsExactly(false, false, false);
    }
}
