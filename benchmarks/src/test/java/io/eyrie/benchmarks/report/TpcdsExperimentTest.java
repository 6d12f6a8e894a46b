// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchResult;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class TpcdsExperimentTest
{
    private static BenchResult judged(String name, String metric, String peer, double ratio)
    {
        Findings findings = new Findings(line -> {});
        for (int query = 1; query <= 3; query++) {
            for (String measured : List.of("cold-time", "warm-time")) {
                String row = "near-orc-q" + query;
                Map.of("ours", 1.0, "vanilla", ratio, "raptorx", ratio, "floor", 0.5)
                        .forEach((variant, seconds) -> findings.add(row, measured, "s", variant, seconds));
            }
        }
        TpcdsExperiment.judge("near-orc", List.of("q1", "q2", "q3"), findings);
        return findings.results()
                .stream()
                .filter(result -> result.name().equals(name) && result.metric().equals(metric) && result.peerName().equals(peer))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void meansAndQueriesAreHeldToTheirBars()
    {
        assertThat(judged("near-orc-geomean", "warm-time", "raptorx", 1.4).holds()).isFalse();
        assertThat(judged("near-orc-geomean", "warm-time", "raptorx", 1.6).holds()).isTrue();
        assertThat(judged("near-orc-geomean", "cold-time", "vanilla", 0.9).holds()).isFalse();
        assertThat(judged("near-orc-q2", "warm-time", "raptorx", 0.9).holds()).isFalse();
        assertThat(judged("near-orc-q2", "warm-time", "raptorx", 1.0).holds()).isTrue();
    }
}
