// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.demo.DemoRun;
import io.eyrie.demo.QueryRun;
import io.eyrie.demo.RunMode;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class DemoWarmBenchmarkTest
{
    @Test
    void everyQueryIsComparedWarmAndColdWithNoCache()
    {
        List<QueryRun> runs = new ArrayList<>();
        for (int repeat = 1; repeat <= 2; repeat++) {
            for (int query : DemoRun.QUERIES) {
                runs.add(run(query, RunMode.OFF, 4 * repeat));
                runs.add(run(query, RunMode.COLD, 5 * repeat));
                runs.add(run(query, RunMode.WARM, 2));
            }
        }

        List<BenchResult> results = DemoWarmBenchmark.results(runs);

        assertThat(results).hasSize(2 * DemoRun.QUERIES.size()).allMatch(result -> result.peerName().equals("no-cache"));
        assertThat(results.get(0)).isEqualTo(new BenchResult("q1", "warm-time", "s", 2, "no-cache", 6, 3, List.of(2.0, 4.0), null, null));
        assertThat(results.get(1)).isEqualTo(new BenchResult("q1", "cold-time", "s", 7.5, "no-cache", 6, 0.8, List.of(0.8, 0.8), null, null));
    }

    private static QueryRun run(int query, RunMode mode, double seconds)
    {
        return new QueryRun(TpchQueries.name(query), mode, seconds, 0, 0, 0, "same");
    }
}
