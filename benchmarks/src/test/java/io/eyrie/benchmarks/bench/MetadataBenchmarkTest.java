// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.MetadataBenchmark.Plan;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class MetadataBenchmarkTest
{
    @Test
    void barsAndNamesAreTheAgreedOnes()
    {
        List<BenchResult> results = results("ours 1000 warm 20.0 2 0 {}", "ours 1000 one-changed 30.0 3 1 {}", "ours 1000 restarted 50.0 4 0 {}");
        assertThat(results).extracting(BenchResult::name).containsOnly(
                "partitions-1000-derby-cold",
                "partitions-1000-derby-warm",
                "partitions-1000-derby-one-changed",
                "partitions-1000-derby-restarted");
        assertThat(results).extracting(BenchResult::metric).containsOnly("plan-time", "metastore-calls", "partitions-fetched");
        assertThat(results.stream().filter(result -> result.holds() != null)).hasSize(5).allMatch(result -> Boolean.TRUE.equals(result.holds()));
        assertThat(find(results, "warm", "plan-time", "none").ratio()).isEqualTo(10);
        assertThat(find(results, "one-changed", "partitions-fetched", "none").peer()).isEqualTo(1000);
    }

    @Test
    void barsThatAreMissed()
    {
        List<BenchResult> results = results("ours 1000 warm 21.0 3 0 {}", "ours 1000 one-changed 30.0 3 2 {}", "ours 1000 restarted 50.0 4 1 {}");
        assertThat(results.stream().map(result -> Optional.ofNullable(result.holds())).flatMap(Optional::stream)).containsOnly(false).hasSize(5);
    }

    private static List<BenchResult> results(String ourWarm, String ourOneChanged, String ourRestarted)
    {
        return MetadataBenchmark.results(
                "partitions-1000-derby",
                Stream.of(
                        "ours 1000 cold 250.0 15 1000 {}",
                        ourWarm,
                        ourOneChanged,
                        ourRestarted,
                        "none 1000 restarted 400.0 14 1000 {}",
                        "none 1000 cold 200.0 14 1000 {getTable=1}",
                        "none 1000 warm 200.0 14 1000 {}",
                        "none 1000 one-changed 200.0 14 1000 {}",
                        "ttl-cache 1000 cold 210.0 14 1000 {}",
                        "ttl-cache 1000 warm 1.0 0 0 {}").map(Plan::of).toList());
    }

    private static BenchResult find(List<BenchResult> results, String state, String metric, String peer)
    {
        return results.stream()
                .filter(result -> result.name().endsWith("-" + state) && result.metric().equals(metric) && result.peerName().equals(peer))
                .findFirst()
                .orElseThrow();
    }
}
