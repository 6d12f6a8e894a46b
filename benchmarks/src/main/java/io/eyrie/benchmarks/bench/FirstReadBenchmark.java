// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Object;
import io.eyrie.testing.tpch.TpchQueries;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

import static java.util.Objects.requireNonNull;

/**
 * Question: how much does a scan cost that finds nothing in the cache? Baseline: Presto's own Hive connector without a cache, and with Alluxio's.
 * Command: {@code bin/bench s3-first-read}.
 */
public final class FirstReadBenchmark
        implements Benchmark
{
    /*
     * Tables      lineitem of scale 0.1, in about sixteen files; placement by file could put both of only two files on one worker. In each repeat,
     *             each system reads its own copy, so that no cache contains any of it.
     * Order       The systems take turns at being first; unmeasured repeats warm up the processes.
     * Query       seven columns of sixteen, those of TPC-H's first query
     */
    private static final double SCALE = 0.1;
    private static final int INSERTS = 8;
    private static final int WARM_UPS = 4;
    private static final int REPEATS = 7;
    private static final int QUICK_REPEATS = 2;
    private static final double BAR_WALL = 1.1;
    private static final double BAR_BYTES = 1.3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<String> FORMATS = List.of("ORC", "PARQUET");
    private static final String SCHEMA = "first_read";
    private static final String QUERY = "SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_discount), sum(l_tax), max(l_shipdate), "
            + "count(*) FROM %s GROUP BY 1, 2 ORDER BY 1, 2";

    /** The system whose connector reads. */
    private enum Variant
    {
        OURS(Lake.CATALOG), NO_CACHE("plain"), STOCK("stock");

        private final String catalog;

        Variant(String catalog)
        {
            this.catalog = catalog;
        }
    }

    private static final List<Variant> VARIANTS = List.of(Variant.values());

    /** One cold scan. */
    record Scan(double seconds, double bytes)
    {}

    @Override
    public String name()
    {
        return "s3-first-read";
    }

    @Override
    public String question()
    {
        return "a cold scan (lineitem, scale 0.1, ORC and Parquet, S3 behind the shaped link) against no cache and Presto's own with Alluxio";
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
        try (Lake lake = start(checkout, progress)) {
            lake.client(SCHEMA).execute("CREATE SCHEMA " + Lake.CATALOG + "." + SCHEMA);
            for (String format : FORMATS) {
                Map<Variant, List<Scan>> scans = new Scans(lake, format, progress).run(repeats);
                results.addAll(results(format, scans.get(Variant.OURS), scans.get(Variant.NO_CACHE), scans.get(Variant.STOCK)));
            }
        }
        return results;
    }

    private Lake start(Checkout checkout, Consumer<String> progress)
    {
        return Lake.builder(checkout)
                .name(name())
                .logRoot(checkout.root().resolve("benchmarks/target/presto-logs"))
                .workers(2)
                .server(EmbeddedS3Server::inTemporaryDirectory)
                .plugin("hive-stock", checkout.stockPlugin())
                .catalog(Variant.NO_CACHE.catalog, Map.of(
                        "connector.name", "hive-hadoop2",
                        "cache.enabled", "",
                        "cache.base-directory", "",
                        "cache.max-cache-size", ""))
                .catalog(Variant.STOCK.catalog, Map.of(
                        "connector.name", "hive-hadoop2",
                        "hive.node-selection-strategy", "SOFT_AFFINITY",
                        "cache.type", "ALLUXIO",
                        "cache.base-directory", "file:${node.directory}/alluxio",
                        "cache.max-cache-size", "",
                        "cache.alluxio.max-cache-size", "10GB"))
                .progress(progress)
                .start();
    }

    /** The scans of one format. */
    private record Scans(Lake lake, String format, Consumer<String> progress)
    {
        Map<Variant, List<Scan>> run(int repeats)
        {
            String source = "lineitem_" + format.toLowerCase(Locale.ROOT);
            String tpch = "tpch.\"" + TpchQueries.sourceSchema(SCALE) + "\".lineitem";
            String columns = lake.columnsOf(tpch);
            lake.link().reshape(LinkShape.UNSHAPED);
            lake.createTable(SCHEMA, source, columns, "format = '" + format + "'");
            for (int i = 0; i < INSERTS; i++) {
                lake.uncachedClient(SCHEMA).execute("INSERT INTO " + source + " SELECT * FROM " + tpch + " WHERE l_orderkey % " + INSERTS + " = "
                        + i);
            }
            QueryResult expected = lake.uncachedClient(SCHEMA).execute(String.format(Locale.ROOT, QUERY, source));

            Map<Variant, List<Scan>> scans = new EnumMap<>(Variant.class);
            for (int repeat = 0; repeat < WARM_UPS + repeats; repeat++) {
                for (int turn = 0; turn < VARIANTS.size(); turn++) {
                    Variant variant = VARIANTS.get((repeat + turn) % VARIANTS.size());
                    String copy = source + "_" + repeat + "_" + variant.catalog;
                    copy(source, copy, columns);
                    Scan scan = scan(variant, copy, expected);
                    progress.accept(copy + ": " + scan);
                    if (repeat >= WARM_UPS) {
                        scans.computeIfAbsent(variant, any -> new ArrayList<>()).add(scan);
                    }
                }
            }
            return scans;
        }

        private void copy(String source, String copy, String columns)
        {
            lake.link().reshape(LinkShape.UNSHAPED);
            lake.createTable(SCHEMA, copy, columns, "format = '" + format + "'");
            String prefix = SCHEMA + "/" + source + "/";
            for (S3Object object : lake.s3().client().list(Lake.BUCKET, prefix)) {
                lake.s3().client().put(Lake.BUCKET, SCHEMA + "/" + copy + "/" + object.key().substring(prefix.length()), lake.s3().client().get(
                        Lake.BUCKET, object
                                .key()));
            }
            lake.link().reshape(LinkShape.STANDARD);
        }

        private Scan scan(Variant variant, String table, QueryResult expected)
        {
            PrestoClient client = lake.presto().client(variant.catalog, SCHEMA);
            LinkCounts before = lake.quietCounts();
            QueryResult result = client.execute(String.format(Locale.ROOT, QUERY, table));
            double bytes = lake.quietCounts().minus(before).dataBytes();
            Rows.assertSameRows(result, expected);
            return new Scan(result.wallTime().toNanos() / NANOS_PER_SECOND, bytes);
        }
    }

    /** Returns the results of one format, from one scan per repeat and system. */
    static List<BenchResult> results(String format, @Nullable List<Scan> ours, @Nullable List<Scan> noCache, @Nullable List<Scan> stock)
    {
        List<BenchResult> results = new ArrayList<>();
        String name = format.toLowerCase(Locale.ROOT) + "-cold";
        for (boolean bars : new boolean[] {true, false}) {
            String peer = bars ? "no-cache" : "stock";
            List<Scan> theirs = requireNonNull(bars ? noCache : stock, "no repeats");
            results.add(BenchResult.cost(new Question(name, "wall", "s", peer), values(ours, Scan::seconds), values(theirs, Scan::seconds),
                    bars ? BAR_WALL : null));
            results.add(BenchResult.cost(new Question(name, "bytes", "B", peer), values(ours, Scan::bytes), values(theirs, Scan::bytes),
                    bars ? BAR_BYTES : null));
        }
        return results;
    }

    private static List<Double> values(@Nullable List<Scan> scans, ToDoubleFunction<Scan> value)
    {
        return requireNonNull(scans, "no repeats").stream().map(value::applyAsDouble).toList();
    }
}
