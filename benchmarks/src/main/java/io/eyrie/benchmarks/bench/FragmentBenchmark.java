// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.tpch.TpchQueries;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * Question: how much does a query cost if the results of its leaf fragments are cached, and how much if they are not? Baseline: Presto's own Hive
 * connector without caches, with all of its caches, including the engine's fragment cache, and the same query over tables without rows. Command:
 * {@code bin/bench fragment}.
 */
public final class FragmentBenchmark
        implements Benchmark
{
    /*
     * Tables      TPC-H's in ORC at scale 1 (0.1 for a quick look); 84 identical files; a table of seven days in ORC and Parquet. Then the standard
     *             link is set
     * Warm        first, rounds of the same queries over empty tables; then a dozen unmeasured rounds, so that the joins are compiled; then the
     *             systems run in turn
     * Cold        each repeat reads with another value of a session property that is in Eyrie's key but has no effect: no result is found, and the
     *             data cache is warm. The peer has all of its caches except the engine's fragment cache
     */
    private static final double SCALE = 1;
    private static final double QUICK_SCALE = 0.1;
    private static final int REPEATS = 7;
    private static final int QUICK_REPEATS = 2;
    private static final int FILES = 84;
    private static final int PLANNING_ROUNDS = 50;
    private static final int WARMUPS = 12;
    private static final double BAR_COLD = 1.08;
    private static final double BAR_ENGINES_OWN = 1 / 1.1;
    private static final double BAR_SPLITS_HIT = 5;
    // half of stock's time when the bar was set
    private static final double BAR_SPLITS_SECONDS = 0.25;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String SCHEMA = "fragment";
    private static final String EMPTY = "fragment_empty";
    private static final Map<Integer, Map<Variant, Double>> BARS = Map.of(
            1, Map.of(Variant.VANILLA, 12.0, Variant.RAPTORX, BAR_ENGINES_OWN),
            6, Map.of(Variant.VANILLA, 7.0, Variant.RAPTORX, BAR_ENGINES_OWN),
            3, Map.of(Variant.RAPTORX, 1.5),
            12, Map.of(Variant.RAPTORX, 2.0),
            14, Map.of(Variant.RAPTORX, 2.0));

    @Override
    public String name()
    {
        return "fragment";
    }

    @Override
    public String question()
    {
        return "queries served from fragment results (TPC-H scale 1, a sliding window, 84 splits) against Presto's own connector without and with all caches";
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
            Runs runs = new Runs(lake, repeats, progress);
            runs.createTables(repeats == QUICK_REPEATS ? QUICK_SCALE : SCALE);
            lake.link().reshape(LinkShape.STANDARD);
            runs.compilePlanning();
            for (int query : BARS.keySet().stream().sorted().toList()) {
                String name = "q" + query;
                results.addAll(warm(name, runs.warm(name, TpchQueries.sql(query)), requireNonNull(BARS.get(query), "no bars")));
                results.add(cold(name, runs.cold(name, TpchQueries.sql(query))));
            }
            String many = "SELECT sum(l_extendedprice), count(*) FROM many WHERE l_quantity > 10";
            for (BenchResult result : warm("splits-" + FILES, runs.warm("splits-" + FILES, many), Map.of())) {
                results.add(result.peerName().equals(Variant.RAPTORX.peerName()) ? result.withBarOfOurs(BAR_SPLITS_SECONDS, false) : result);
            }
            for (String format : List.of("orc", "parquet")) {
                results.add(runs.slidingWindow(format));
            }
        }
        return results;
    }

    /** Returns the results of one query's warm runs: Eyrie against each peer, with one value per repeat. */
    static List<BenchResult> warm(String name, Map<Variant, List<Double>> seconds, Map<Variant, Double> bars)
    {
        List<BenchResult> results = new ArrayList<>();
        for (Variant peer : List.of(Variant.VANILLA, Variant.RAPTORX, Variant.FLOOR)) {
            @Nullable
            Double bar = bars.get(peer);
            List<Double> theirs = seconds.get(peer);
            if (theirs != null) {
                Question question = new Question(name, "warm-time", "s", peer.peerName());
                results.add(BenchResult.lessIsBetter(question, requireNonNull(seconds.get(Variant.OURS), "no repeats"), theirs, bar));
            }
        }
        return results;
    }

    /** Returns the result of one query's runs that found no fragment result: Eyrie's cost relative to stock's. */
    static BenchResult cold(String name, Map<Variant, List<Double>> seconds)
    {
        return BenchResult.cost(
                new Question(name, "cold-time", "s", Variant.RAPTORX.peerName()),
                requireNonNull(seconds.get(Variant.OURS), "no repeats"),
                requireNonNull(seconds.get(Variant.RAPTORX), "no repeats"),
                BAR_COLD);
    }

    /** The runs on one cluster. */
    private record Runs(Lake lake, int repeats, Consumer<String> progress)
    {
        void createTables(double scale)
        {
            lake.createTpchTables(SCHEMA, scale, "ORC", false, (table, rows) -> progress.accept(table + ": " + rows + " rows"));
            // without statistics, every join shuffles both sides, which takes half of a query's time
            TpchQueries.TABLES.forEach(table -> lake.client(SCHEMA).execute("ANALYZE " + table));
            lake.client(EMPTY).execute("CREATE SCHEMA " + Lake.CATALOG + "." + EMPTY);
            String source = "tpch.\"" + TpchQueries.sourceSchema(scale) + "\".";
            for (String table : TpchQueries.TABLES) {
                lake.createTable(EMPTY, table, lake.columnsOf(source + table), "format = 'ORC'");
            }
            String columns = lake.columnsOf(source + "lineitem");
            lake.createTable(EMPTY, "many", columns, "format = 'ORC'");
            lake.createTableOfCopies(SCHEMA, "many", columns, "SELECT * FROM " + source + "lineitem LIMIT 20000", FILES);
            for (String format : List.of("orc", "parquet")) {
                lake.createTable(SCHEMA, "days_" + format, "v bigint, time date, ds varchar", "format = '" + format
                        + "', partitioned_by = ARRAY['ds']");
                lake.client(SCHEMA).withSession("task_writer_count", "1").execute("INSERT INTO days_" + format
                        + " SELECT x, date_add('day', x % 7, DATE '2021-01-01'), concat('2021-01-0', cast(x % 7 + 1 AS varchar))"
                        + " FROM UNNEST(sequence(0, 9999)) AS t(x)");
            }
        }

        /*
         * Planning and scheduling take most of the time of a query from cached results, and need more rounds than a scan to be compiled. All variants
         * run alike, over tables without rows.
         */
        void compilePlanning()
        {
            for (int round = 0; round < PLANNING_ROUNDS; round++) {
                for (int query : BARS.keySet()) {
                    for (String catalog : List.of(Variant.OURS.catalog(), Variant.VANILLA.catalog(), Variant.RAPTORX.catalog())) {
                        lake.presto().client(catalog, EMPTY).execute(TpchQueries.sql(query));
                    }
                }
            }
            progress.accept("planned and scheduled " + PLANNING_ROUNDS + " times");
        }

        Map<Variant, List<Double>> warm(String name, String sql)
        {
            Map<Variant, List<Double>> seconds = new EnumMap<>(Variant.class);
            QueryResult expected = client(Variant.VANILLA).execute(sql);
            for (int repeat = -WARMUPS; repeat < repeats; repeat++) {
                for (Variant variant : Variant.values()) {
                    QueryResult result = client(variant).execute(sql);
                    add(seconds, name + " warm", variant, repeat, variant == Variant.FLOOR ? result : checked(result, expected));
                }
            }
            return seconds;
        }

        Map<Variant, List<Double>> cold(String name, String sql)
        {
            Map<Variant, List<Double>> seconds = new EnumMap<>(Variant.class);
            QueryResult expected = client(Variant.VANILLA).execute(sql);
            for (int repeat = -WARMUPS; repeat < repeats; repeat++) {
                String stripe = (20 + repeat) + "MB";
                QueryResult ours = client(Variant.OURS).withSession(Lake.CATALOG + ".orc_tiny_stripe_threshold", stripe).execute(sql);
                add(seconds, name + " cold", Variant.OURS, repeat, checked(ours, expected));
                QueryResult theirs = client(Variant.RAPTORX).withSession("fragment_result_caching_enabled", "false").execute(sql);
                add(seconds, name + " cold", Variant.RAPTORX, repeat, checked(theirs, expected));
            }
            return seconds;
        }

        /* Queries six days, then six days beginning one day later. Each repeat sums another expression, so that it begins without cached results. */
        BenchResult slidingWindow(String format)
        {
            List<Double> hits = new ArrayList<>();
            for (int repeat = 0; repeat < repeats; repeat++) {
                String sql = "SELECT sum(v + " + repeat + ") FROM days_" + format + " WHERE time BETWEEN DATE '2021-01-0%d' AND DATE '2021-01-0%d'";
                client(Variant.OURS).execute(String.format(Locale.ROOT, sql, 1, 6));
                String moved = String.format(Locale.ROOT, sql, 2, 7);
                QueryResult result = checked(client(Variant.OURS).execute(moved), client(Variant.VANILLA).execute(moved));
                hits.add((double) client(Variant.OURS).statistics(result).metric("eyrieFragmentHits").sum());
            }
            Question question = new Question("sliding-" + format, "splits-hit", "1", "ideal");
            return BenchResult.moreIsBetter(question, hits, hits.stream().map(any -> BAR_SPLITS_HIT).toList()).withBarOfOurs(BAR_SPLITS_HIT, true);
        }

        private static QueryResult checked(QueryResult result, QueryResult expected)
        {
            Rows.assertSameRows(result, expected);
            return result;
        }

        private void add(Map<Variant, List<Double>> seconds, String name, Variant variant, int repeat, QueryResult result)
        {
            double took = result.wallTime().toNanos() / NANOS_PER_SECOND;
            progress.accept(String.format(Locale.ROOT, "%s %s: %.3f s", name, variant.peerName(), took));
            if (repeat >= 0) {
                seconds.computeIfAbsent(variant, any -> new ArrayList<>()).add(took);
            }
        }

        private PrestoClient client(Variant variant)
        {
            return PeerLake.client(lake, variant, variant == Variant.FLOOR ? EMPTY : SCHEMA);
        }
    }
}
