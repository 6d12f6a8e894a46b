// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.peers.Ssb;
import org.junit.jupiter.api.Test;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class SsbExperimentTest
{
    private static BenchResult judged(String cell, String name, String metric, double raptorx)
    {
        Findings findings = new Findings(line -> {});
        for (String query : Ssb.NAMES) {
            for (String measured : List.of("second-run-time", "warm-time", "window-moved-time", "dimension-changed-time")) {
                Map.of("ours", 1.0, "vanilla", 9.0, "raptorx", raptorx, "floor", 0.5)
                        .forEach((variant, seconds) -> findings.add(cell + "-q" + query, measured, "s", variant, seconds));
            }
        }
        SsbExperiment.judge(cell, findings);
        return findings.results()
                .stream()
                .filter(result -> result.name().equals(name) && result.metric().equals(metric) && result.peerName().equals("raptorx"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void barsHoldForTheNearLink()
    {
        assertThat(judged("near", "near-geomean", "warm-time", 4.9).holds()).isFalse();
        assertThat(judged("near", "near-geomean", "warm-time", 5.1).holds()).isTrue();
        assertThat(judged("near", "near-q3.1", "window-moved-time", 3.9).holds()).isFalse();
        assertThat(judged("near", "near-q3.1", "window-moved-time", 4.1).holds()).isTrue();
        assertThat(judged("far", "far-geomean", "warm-time", 4.9).holds()).isNull();
    }

    @Test
    void windowIsAYearOfOrders()
    {
        assertThat(Ssb.sql("2.1", LocalDate.of(1994, 1, 31))).contains(
                "lo_month BETWEEN '1994-01' AND '1995-01' AND lo_orderdate BETWEEN 19940131 AND 19950130 AND lo_orderdate = d_datekey");
        assertThat(Ssb.NAMES).allSatisfy(name -> assertThat(Ssb.sql(name)).startsWith("SELECT "));
        assertThat(Ssb.NAMES.stream().map(Ssb::sql).distinct()).hasSize(13);
    }
}
