// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.demo.DemoCluster;
import io.eyrie.demo.DemoLink;
import io.eyrie.demo.DemoRun;
import io.eyrie.demo.QueryRun;
import io.eyrie.demo.RunMode;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.tpch.TpchQueries;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Question: how much time does a filled cache save on the demo's queries, and how much does filling it cost? Baseline: the same queries in the same
 * cluster with the cache disabled by session property. Command: {@code bin/bench demo-warm}.
 */
public final class DemoWarmBenchmark
        implements Benchmark
{
    /*
     * Repeats     Each runs each query off, cold and warm, one after the other: a temporary disturbance of the machine affects all three.
     * Cold        As in the demo, all layers are empty before each cold run.
     */
    private static final double SCALE = 0.1;
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 2;
    private static final String PEER = "no-cache";

    @Override
    public String name()
    {
        return "demo-warm";
    }

    @Override
    public String question()
    {
        return "the demo's TPC-H queries (scale 0.1, ORC, S3 behind the shaped link), warm and cold, against no cache";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        List<QueryRun> runs = new ArrayList<>();
        try (DemoCluster cluster = DemoCluster.start(checkout, name(), progress)) {
            cluster.createTables(SCALE);
            DemoRun run = new DemoRun(cluster, progress);
            cluster.warmUp();
            cluster.shape(DemoLink.NEAR);
            for (int repeat = 1; repeat <= repeats; repeat++) {
                runs.addAll(run.run(1));
            }
        }
        return results(runs);
    }

    /** Returns the results of any number of repeats, each with a run of every query and mode. */
    static List<BenchResult> results(List<QueryRun> runs)
    {
        List<BenchResult> results = new ArrayList<>();
        for (int number : DemoRun.QUERIES) {
            String query = TpchQueries.name(number);
            List<Double> off = seconds(runs, query, RunMode.OFF);
            results.add(BenchResult.lessIsBetter(new Question(query, "warm-time", "s", PEER), seconds(runs, query, RunMode.WARM), off, null));
            results.add(BenchResult.lessIsBetter(new Question(query, "cold-time", "s", PEER), seconds(runs, query, RunMode.COLD), off, null));
        }
        return results;
    }

    private static List<Double> seconds(List<QueryRun> runs, String query, RunMode mode)
    {
        return runs.stream().filter(run -> run.query().equals(query) && run.run() == mode).map(QueryRun::seconds).toList();
    }
}
