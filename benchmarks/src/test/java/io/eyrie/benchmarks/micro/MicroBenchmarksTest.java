// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.testing.lake.Checkout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class MicroBenchmarksTest
{
    private static final Effort TINY = new Effort(0, 0, 1, 20, 2, 40);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path root;

    private List<BenchResult> run(Benchmark benchmark)
    {
        List<BenchResult> results = benchmark.run(new Checkout(root), 1, line -> {});
        assertThat(root.resolve("benchmarks/target/bench").resolve(benchmark.name())).doesNotExist();
        assertThat(results).allSatisfy(result -> {
            assertThat(result.ours()).isPositive();
            assertThat(result.peer()).isPositive();
            assertThat(result.spread()).hasSize(2);
        });
        return results;
    }

    @Test
    void pageRead()
    {
        List<BenchResult> results = run(new PageReadBenchmark(TINY));

        assertThat(results).extracting(BenchResult::name).containsOnly(
                "hit-8KiB-aligned-1t", "hit-8KiB-aligned-8t", "hit-8KiB-unaligned-1t", "hit-8KiB-unaligned-8t",
                "hit-64KiB-1t", "hit-64KiB-8t", "hit-1MiB-1t", "hit-1MiB-8t").hasSize(16);
        assertThat(results).extracting(BenchResult::peerName).containsOnly("alluxio", "raw");
        assertThat(results).allMatch(result -> result.metric().equals("throughput") && result.unit().equals("reads/s") && result.bar() != null);
    }

    @Test
    void pageWrite()
    {
        List<BenchResult> results = run(new PageWriteBenchmark(TINY));

        assertThat(results).extracting(BenchResult::peerName).containsExactly("idle", "alluxio", "raw", "idle");
        assertThat(results).allMatch(result -> result.name().endsWith("populate-while-reading") && result.metric().equals("reader-p99"));
        assertThat(results).extracting(BenchResult::unit).containsOnly("µs");
    }

    @Test
    void indexMemory()
    {
        List<BenchResult> results = run(new IndexMemoryBenchmark(TINY));

        assertThat(results).singleElement().satisfies(result -> {
            assertThat(List.of(result.name(), result.metric(), result.unit(), result.peerName()))
                    .containsExactly("pages-2M", "bytes-per-page", "B", "alluxio");
            assertThat(result.holds()).isEqualTo(result.ours() <= 48);
        });
    }

    @Test
    void recovery()
    {
        List<BenchResult> results = run(new RecoveryBenchmark(TINY));

        assertThat(results).singleElement().satisfies(result -> assertThat(List.of(
                result.name(), result.metric(), result.unit(), result.peerName()))
                .containsExactly("pages-1M", "open-to-first-hit", "s", "alluxio"));
    }

    @Test
    void contention()
    {
        List<BenchResult> results = run(new ContentionBenchmark(TINY));

        assertThat(results).extracting(BenchResult::name)
                .containsExactly("hot-page-8t", "hot-page-64t", "many-pages-8t", "many-pages-64t", "cold-page-64t");
        assertThat(results).extracting(BenchResult::peerName)
                .containsExactly("2-threads", "2-threads", "2-threads", "2-threads", "ideal");
        assertThat(results.get(4).metric()).isEqualTo("remote-requests");
        assertThat(results.get(4).ours()).isEqualTo(1);
    }

    @Test
    void waitsOnTheHitPathAreSeenWhereThereAreAny(@TempDir Path alluxio, @TempDir Path raw)
    {
        // Alluxio reads on another thread, for which the reader waits; the only reader of a channel never waits (two would share its monitor)
        assertThat(new HitPath(CacheVariant.ALLUXIO, 1).waits(2, TINY, alluxio)).anyMatch(wait -> wait.contains("jdk.ThreadPark"));
        assertThat(new HitPath(CacheVariant.RAW, 1).waits(1, TINY, raw)).isEmpty();
    }
}
