// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class FinerLookupBenchmarkTest
{
    @Test
    void barIsOfTheAddedTime()
    {
        List<BenchResult> results = FinerLookupBenchmark.results(List.of(13.0, 14.0, 12.0), List.of(4.0, 4.0, 4.0));
        assertThat(results).extracting(BenchResult::metric).containsExactly("lookup-time", "added-time");
        assertThat(results.get(0).ratio()).isEqualTo(13.0 / 4);
        assertThat(results.get(1).ours()).isEqualTo(9);
        assertThat(results.get(1).bar()).isEqualTo(10);
        assertThat(results.get(1).holds()).isTrue();
        assertThat(FinerLookupBenchmark.results(List.of(14.1), List.of(4.0)).get(1).holds()).isFalse();
    }
}
