// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchResult;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class TpchExperimentTest
{
    static Findings measured(String cell, Map<String, Double> warm)
    {
        Findings findings = new Findings(line -> {});
        for (int query = 1; query <= 22; query++) {
            String row = cell + "-q" + query;
            for (int repeat = 0; repeat < 3; repeat++) {
                warm.forEach((variant, seconds) -> findings.add(row, "warm-time", "s", variant, seconds));
            }
            for (String metric : List.of("cold-time", "second-run-time", "restart-time", "one-partition-changed-time")) {
                for (String variant : List.of("ours", "vanilla", "raptorx")) {
                    findings.add(row, metric, "s", variant, 2);
                }
            }
        }
        TpchExperiment.judge(cell, cell.startsWith("far"), findings);
        return findings;
    }

    private static BenchResult result(Findings findings, String name, String metric, String peer)
    {
        return findings.results()
                .stream()
                .filter(result -> result.name().equals(name) && result.metric().equals(metric) && result.peerName().equals(peer))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void farQueriesAreHeldToTheBarAgainstVanilla()
    {
        Findings findings = measured("far-orc", Map.of("ours", 1.0, "vanilla", 9.0, "raptorx", 2.0, "floor", 0.5));
        assertThat(result(findings, "far-orc-q1", "warm-time", "vanilla").holds()).as("10 times").isFalse();
        assertThat(result(findings, "far-orc-q5", "warm-time", "vanilla").holds()).as("judged by its time above the floor").isNull();
        assertThat(result(findings, "far-orc-q5", "warm-time", "vanilla-above-floor").holds()).isFalse();
        assertThat(result(findings, "far-orc-q3", "warm-time", "vanilla").holds()).as("no bar").isNull();
    }

    @Test
    void whereTheFloorForbidsTheBarWhatIsAboveItIsHeldToIt()
    {
        Findings findings = measured("far-orc", Map.of("ours", 1.0, "vanilla", 9.0, "raptorx", 2.0, "floor", 0.95));
        assertThat(result(findings, "far-orc-q1", "warm-time", "vanilla").holds()).isNull();
        BenchResult above = result(findings, "far-orc-q1", "warm-time", "vanilla-above-floor");
        assertThat(above.ratio()).isBetween(160.0, 162.0);
        assertThat(above.holds()).isTrue();
    }

    @Test
    void nearQueriesAreHeldToTheMeanAndToNoLossAgainstRaptorx()
    {
        Findings slow = measured("near-orc", Map.of("ours", 1.0, "vanilla", 9.0, "raptorx", 0.9, "floor", 0.5));
        assertThat(result(slow, "near-orc-q7", "warm-time", "raptorx").holds()).isFalse();
        assertThat(result(slow, "near-orc-geomean", "warm-time", "raptorx").holds()).isFalse();
        Findings fast = measured("near-orc", Map.of("ours", 1.0, "vanilla", 9.0, "raptorx", 5.1, "floor", 0.6));
        assertThat(result(fast, "near-orc-q7", "warm-time", "raptorx").holds()).isTrue();
        assertThat(result(fast, "near-orc-geomean", "warm-time", "raptorx").ratio()).isBetween(5.09, 5.11);
        assertThat(result(fast, "near-orc-geomean", "warm-time", "raptorx").holds()).isTrue();
        assertThat(result(fast, "near-orc-q7", "cold-time", "vanilla").holds()).isTrue();
        assertThat(result(fast, "near-orc-geomean", "warm-time", "floor").holds()).isTrue();
        assertThat(result(fast, "near-orc-q1", "restart-time", "warm").holds()).as("2 s of 1 s").isFalse();
        assertThat(result(fast, "near-orc-q7", "restart-time", "warm").holds()).as("no bar").isNull();
        assertThat(result(fast, "near-orc-geomean", "restart-time", "raptorx").holds()).as("as fast").isFalse();
        assertThat(result(fast, "near-orc-q1", "one-partition-changed-time", "raptorx").holds()).isTrue();
        assertThat(result(fast, "near-orc-geomean", "one-partition-changed-time", "raptorx").holds()).isFalse();
    }
}
