// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.FirstReadBenchmark.Scan;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class FirstReadBenchmarkTest
{
    @Test
    void ratioIsWhatOursCostsAndNamesAreAsAgreed()
    {
        List<BenchResult> results = FirstReadBenchmark.results("ORC", List.of(new Scan(1.1, 140)), List.of(new Scan(1, 100)), List.of(new Scan(2,
                200)));

        assertThat(results).extracting(BenchResult::name).containsOnly("orc-cold");
        assertThat(results).extracting(BenchResult::metric).containsExactly("wall", "bytes", "wall", "bytes");
        assertThat(results).extracting(BenchResult::peerName).containsExactly("no-cache", "no-cache", "stock", "stock");
        assertThat(results).extracting(BenchResult::ratio).containsExactly(1.1, 1.4, 0.55, 0.7);
        assertThat(results).extracting(BenchResult::bar).containsExactly(1.1, 1.3, null, null);
        assertThat(results).extracting(BenchResult::holds).containsExactly(true, false, null, null);
    }
}
