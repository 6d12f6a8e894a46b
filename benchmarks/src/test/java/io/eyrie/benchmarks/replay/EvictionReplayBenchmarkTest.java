// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.cache.simulation.PageAccesses;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class EvictionReplayBenchmarkTest
{
    @Test
    void ratioIsInPoints()
    {
        // LRU has no hits in a loop larger than the cache, the optimum has a tenth
        long[] pages = LongStream.range(0, 100_000).map(access -> access % 1000).toArray();
        int[] lengths = new int[pages.length];
        Arrays.fill(lengths, 100);
        List<BenchResult> results = EvictionReplayBenchmark.results("loop", new PageAccesses(pages, lengths), 10, 7);

        BenchResult lru = results.get(0);
        BenchResult belady = results.get(1);
        assertThat(results).hasSize(3).extracting(BenchResult::name).containsOnly("loop-10pct");
        assertThat(lru.peerName()).isEqualTo("lru");
        assertThat(lru.peer()).isZero();
        assertThat(lru.ratio()).isCloseTo(lru.ours() * 100, within(1e-9)).isBetween(7.0, 10.0);
        assertThat(lru.holds()).isTrue();
        assertThat(belady.peerName()).isEqualTo("belady");
        assertThat(belady.peer()).isCloseTo(0.099, within(0.001));
        assertThat(belady.ratio()).isBetween(-3.0, 0.0);
        assertThat(belady.holds()).isNull();
        assertThat(results.get(2).peerName()).isEqualTo("w-tinylfu");
        assertThat(results.get(2).holds()).isNull();
        assertThat(ReplayChart.page(results)).contains(">loop<", "10%", "polyline").doesNotContain("NaN");
    }

    @Test
    void wTinyLfuKeepsWhatIsPopularUnderAScan()
    {
        // every second access is to one of ten pages; the others are to pages that never recur
        long[] pages = LongStream.range(0, 20_000).map(access -> access % 2 == 0 ? access / 2 % 10 : access).toArray();
        int[] lengths = new int[pages.length];
        Arrays.fill(lengths, 100);
        assertThat(WTinyLfu.hitRatio(new PageAccesses(pages, lengths), 2000)).isBetween(0.45, 0.5);
    }

    @Test
    void barThatIsMissed()
    {
        PageAccesses once = new PageAccesses(LongStream.range(0, 1000).toArray(), LongStream.range(0, 1000).mapToInt(page -> 1).toArray());

        assertThat(EvictionReplayBenchmark.results("once", once, 10, 15).get(0).holds()).isFalse();
        assertThat(EvictionReplayBenchmark.results("once", once, 10, -0.5).get(0).holds()).isTrue();
    }
}
