// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import static java.util.stream.Collectors.joining;

/**
 * Question: what does planning cost a query whose leaves are refused? Baseline: the same plan in the same catalog while fragment results are off in the session, so that nobody
 * looks for leaves. Command: {@code bin/bench planning}.
 */
public final class PlanningBenchmark
        implements Benchmark
{
    /*
     * Unit     EXPLAIN, as the client sees it; one repeat is the sum of ten, both sides in turn and each as often first.
     * Queries  refused for what they compute, at the bottom and at the top of a long chain of projections, and for their size
     */
    private static final int REPEATS = 15;
    private static final int QUICK_REPEATS = 3;
    private static final int WARM_UPS = 2;
    private static final int IN_A_REPEAT = 10;
    private static final int LEVELS = 30;
    private static final int LIST = 12_000;
    private static final int EXPRESSIONS = 300;
    private static final double BAR = 1.05;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String SCHEMA = "planning";
    private static final String PEER = "no-leaves";

    @Override
    public String name()
    {
        return "planning";
    }

    @Override
    public String question()
    {
        return "planning of queries whose leaves are refused, against the same plans in a session without fragment results";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        List<BenchResult> results = new ArrayList<>();
        try (Lake lake = Lake.builder(checkout)
                .name(name())
                .logRoot(checkout.root().resolve("benchmarks/target/presto-logs"))
                .workers(1)
                .property("fragment-result-cache.enabled", "true")
                // so that neither side waits for the metastore
                .property("hive.metastore-cache-ttl", "1d")
                .progress(progress)
                .start()) {
            PrestoClient client = lake.client(SCHEMA);
            client.execute("CREATE SCHEMA " + SCHEMA);
            lake.createTable(SCHEMA, "numbers", "x bigint, s varchar", "format = 'ORC'");
            client.execute("INSERT INTO numbers VALUES (1, 'a')");
            queries().forEach((row, sql) -> {
                progress.accept(row);
                results.add(compare(row, "EXPLAIN " + sql, client, repeats));
            });
        }
        return results;
    }

    static Map<String, String> queries()
    {
        Map<String, String> queries = new LinkedHashMap<>();
        queries.put("random", "SELECT sum(x + random()) FROM numbers");
        queries.put("random-above-chain", "SELECT sum(x + random()) FROM (" + chain("x") + ")");
        queries.put("random-below-chain", "SELECT sum(x) FROM (" + chain("x + random()") + ")");
        queries.put("list-too-large", "SELECT count(*) FROM numbers WHERE x IN (" + items(LIST, "%d", ",") + ")");
        queries.put("random-among-expressions",
                "SELECT " + items(EXPRESSIONS, "x + %1$d + random() x%1$d", ",") + " FROM numbers WHERE s LIKE '%a%'");
        return queries;
    }

    private static String chain(String bottom)
    {
        String chain = "SELECT " + bottom + " x FROM numbers";
        for (int level = 0; level < LEVELS; level++) {
            chain = "SELECT x * 2 - x x FROM (" + chain + ")";
        }
        return chain;
    }

    private static String items(int count, String format, String separator)
    {
        return IntStream.range(0, count).mapToObj(item -> String.format(Locale.ROOT, format, item)).collect(joining(separator));
    }

    private static BenchResult compare(String row, String sql, PrestoClient ours, int repeats)
    {
        PrestoClient peer = ours.withSession(Lake.CATALOG + ".fragment_result_cache_enabled", "false");
        if (!isRefused(ours, sql) || isRefused(peer, sql)) {
            throw new IllegalStateException("Not measured: no leaf of " + row + " is refused, or one is in the session without leaves");
        }
        List<Double> ourSeconds = new ArrayList<>();
        List<Double> peerSeconds = new ArrayList<>();
        for (int repeat = -WARM_UPS; repeat < repeats; repeat++) {
            double our = 0;
            double their = 0;
            for (int i = 0; i < IN_A_REPEAT / 2; i++) {
                our += seconds(ours, sql);
                their += seconds(peer, sql) + seconds(peer, sql);
                our += seconds(ours, sql);
            }
            if (repeat >= 0) {
                ourSeconds.add(our);
                peerSeconds.add(their);
            }
        }
        return BenchResult.cost(new Question(row, "plan-time", "s", PEER), ourSeconds, peerSeconds, BAR);
    }

    private static boolean isRefused(PrestoClient client, String sql)
    {
        return client.statistics(client.execute(sql)).runtimeMetrics().keySet().stream().anyMatch(name -> name.startsWith("eyrieFragmentRefused"));
    }

    private static double seconds(PrestoClient client, String sql)
    {
        return client.execute(sql).wallTime().toNanos() / NANOS_PER_SECOND;
    }
}
