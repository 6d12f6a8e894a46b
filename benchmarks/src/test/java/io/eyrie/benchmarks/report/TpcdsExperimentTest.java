// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchResult;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TpcdsExperimentTest
{
    /* The last of three queries has no floor. */
    private static Optional<BenchResult> found(String name, String metric, String peer, double ratio)
    {
        Findings findings = new Findings(line -> {});
        for (int query = 1; query <= 3; query++) {
            for (String measured : List.of("cold-time", "warm-time")) {
                String row = "near-orc-q" + query;
                Map.of("ours", 1.0, "vanilla", ratio, "raptorx", ratio).forEach((variant, seconds) -> findings.add(row, measured, "s", variant,
                        seconds));
                if (query < 3) {
                    findings.add(row, measured, "s", "floor", 0.5);
                }
            }
        }
        TpcdsExperiment.judge("near-orc", List.of("q1", "q2", "q3"), findings);
        return findings.results()
                .stream()
                .filter(result -> result.name().equals(name) && result.metric().equals(metric) && result.peerName().equals(peer))
                .findFirst();
    }

    private static BenchResult judged(String name, String metric, String peer, double ratio)
    {
        return found(name, metric, peer, ratio).orElseThrow();
    }

    @Test
    void aQueryWithoutAFloorIsComparedWithTheOthers()
    {
        assertThat(judged("near-orc-q2", "warm-time", "floor", 1).ratio()).isEqualTo(0.5);
        assertThat(found("near-orc-q3", "warm-time", "floor", 1)).isEmpty();
        assertThat(judged("near-orc-q3", "warm-time", "vanilla", 2).ratio()).isEqualTo(2);
        assertThat(judged("near-orc-geomean", "warm-time", "vanilla", 2).ratio()).isEqualTo(2, within(1e-9));
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
