// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.airlift.units.Duration;
import io.eyrie.benchmarks.Medians;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.joining;

/**
 * Question: how much does Eyrie add to the planning time of a query whose leaf fragments it refuses? Baselines: Presto's own Hive connector with its
 * metastore cache, and Eyrie in a session without fragment results, which does not search for leaf fragments. Command: {@code bin/bench planning}.
 */
public final class PlanningBenchmark
        implements Benchmark
{
    /*
     * Unit     The engine's own analysis time of an EXPLAIN, which includes the planning of the explained query, and excludes queues and the network.
     *          One repeat is the median of six; the sides take turns, in changing order.
     * Fair     All sides have warm metadata. The peer is the variant RAPTORX, the strictest one: its metastore cache answers from memory and validates
     *          nothing, while Eyrie compares its cached metadata with the metastore once per query, and that time counts. The variant VANILLA has no
     *          cache, so its reads of the metastore would hide a part of what Eyrie adds.
     * Queries  Refused for a function, also at the bottom of a long chain of projections and among many expressions; for their size. One is refused for a
     *          function above the chain, and the chain becomes a leaf: the row includes the making of the leaf, so it has no bar.
     * Warm-up  Rounds over all queries that are not measured, so that the classes of both plugins are compiled. The longest query is in every tenth.
     */
    private static final int REPEATS = 15;
    private static final int QUICK_REPEATS = 5;
    private static final int WARM_UP_ROUNDS = 40;
    private static final int LONGEST_EVERY = 10;
    // a multiple of the number of sides, so that each comes first equally often
    private static final int IN_A_REPEAT = 6;
    private static final int LEVELS = 30;
    private static final int LIST = 10_500;
    private static final int EXPRESSIONS = 100;
    private static final double BAR = 1.05;
    private static final String SCHEMA = "planning";
    private static final String LONGEST = "list-too-large";
    private static final String LEAF_BELOW = "random-above-leaf";

    @Override
    public String name()
    {
        return "planning";
    }

    @Override
    public String question()
    {
        return "planning of queries whose leaf fragments are refused, against Presto's own connector and a session without fragment results";
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
        try (Lake lake = PeerLake.builder(checkout, name(), progress).start()) {
            Map<Side, PrestoClient> clients = new EnumMap<>(Side.class);
            for (Side side : Side.values()) {
                clients.put(side, side.client(lake));
            }
            PrestoClient ours = lake.client(SCHEMA);
            ours.execute("CREATE SCHEMA " + SCHEMA);
            lake.createTable(SCHEMA, "numbers", "x bigint, s varchar", "format = 'ORC'");
            ours.execute("INSERT INTO numbers VALUES (1, 'a')");
            queries().forEach((row, sql) -> check(row, sql, clients));
            for (int round = 0; round < WARM_UP_ROUNDS; round++) {
                boolean all = round % LONGEST_EVERY == 0;
                queries().forEach((row, sql) -> {
                    if (all || !row.equals(LONGEST)) {
                        seconds(sql, clients, 1);
                    }
                });
                progress.accept("warm-up round " + (round + 1) + " of " + WARM_UP_ROUNDS);
            }
            queries().forEach((row, sql) -> {
                for (BenchResult result : compare(row, sql, clients, repeats)) {
                    progress.accept(String.format(Locale.ROOT, "%s: %.3f of %s", row, result.ratio(), result.peerName()));
                    results.add(result);
                }
            });
        }
        return results;
    }

    /** A side of the comparison. */
    private enum Side
    {
        OURS(Variant.OURS.catalog(), true),
        STOCK(Variant.RAPTORX.catalog(), true),
        NO_LEAVES(Variant.OURS.catalog(), false);

        private final String catalog;
        private final boolean leaves;

        Side(String catalog, boolean leaves)
        {
            this.catalog = catalog;
            this.leaves = leaves;
        }

        PrestoClient client(Lake lake)
        {
            PrestoClient client = lake.presto().client(catalog, SCHEMA);
            return leaves ? client : client.withSession(catalog + ".fragment_result_cache_enabled", "false");
        }
    }

    static Map<String, String> queries()
    {
        Map<String, String> queries = new LinkedHashMap<>();
        queries.put("random", "SELECT sum(x + random()) FROM numbers");
        queries.put(LEAF_BELOW, "SELECT sum(x + random()) FROM (" + chain("x") + ")");
        queries.put("random-below-chain", "SELECT sum(x) FROM (" + chain("x + random()") + ")");
        // of an expression: the engine takes seconds to translate a list of that length into the domain of a column
        queries.put(LONGEST, "SELECT count(*) FROM numbers WHERE x + 1 IN (" + items(LIST, "%d", ",") + ")");
        queries.put("random-among-expressions",
                "SELECT " + items(EXPRESSIONS, "x + %1$d + random() x%1$d", ",") + " FROM numbers");
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

    private static void check(String row, String sql, Map<Side, PrestoClient> clients)
    {
        clients.forEach((side, client) -> {
            Set<String> metrics = explained(client, sql).runtimeMetrics().keySet();
            boolean refused = metrics.stream().anyMatch(name -> name.startsWith("eyrieFragmentRefused"));
            boolean leaf = metrics.contains("eyrieFragmentLeaves");
            boolean ours = side == Side.OURS;
            if (refused != ours || leaf != (ours && row.equals(LEAF_BELOW))) {
                throw new IllegalStateException("Cannot measure " + row + ": " + side + " has metrics of other fragments: " + metrics);
            }
        });
    }

    private static List<BenchResult> compare(String row, String sql, Map<Side, PrestoClient> clients, int repeats)
    {
        Map<Side, List<Double>> medians = new EnumMap<>(Side.class);
        for (int repeat = 0; repeat < repeats; repeat++) {
            seconds(sql, clients, IN_A_REPEAT).forEach((side, seconds) -> medians.computeIfAbsent(side, any -> new ArrayList<>()).add(Medians.median(
                    seconds)));
        }
        List<Double> ours = requireNonNull(medians.get(Side.OURS), "no repeats");
        return List.of(
                BenchResult.cost(new Question(row, "plan-time", "s", "stock"), ours, requireNonNull(medians.get(Side.STOCK), "no repeats"), row
                        .equals(LEAF_BELOW) ? null : BAR),
                BenchResult.cost(new Question(row, "plan-time", "s", "no-leaves"), ours, requireNonNull(medians.get(Side.NO_LEAVES), "no repeats"),
                        null));
    }

    private static Map<Side, List<Double>> seconds(String sql, Map<Side, PrestoClient> clients, int times)
    {
        Map<Side, List<Double>> seconds = new EnumMap<>(Side.class);
        List<Side> order = new ArrayList<>(clients.keySet());
        for (int i = 0; i < times; i++) {
            for (Side side : order) {
                seconds.computeIfAbsent(side, any -> new ArrayList<>()).add(planSeconds(requireNonNull(clients.get(side), "no client"), sql));
            }
            Collections.rotate(order, 1);
        }
        return seconds;
    }

    private static double planSeconds(PrestoClient client, String sql)
    {
        return Duration.valueOf(explained(client, sql).queryInfo().path("queryStats").path("analysisTime").asText()).getValue(SECONDS);
    }

    private static QueryStatistics explained(PrestoClient client, String sql)
    {
        return client.statistics(client.execute("EXPLAIN " + sql));
    }
}
