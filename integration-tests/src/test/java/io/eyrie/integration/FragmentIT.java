// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.presto.NodeMBeans;
import io.eyrie.testing.s3.S3Object;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

/** Tests the guarantees of fragment results on a real cluster: the same answers as unchanged plans, and leaf fragments that are not computed twice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FragmentIT
{
    private static final String SCHEMA = "fragments";
    private static final String HITS = "eyrieFragmentHits";
    private static final String MISSES = "eyrieFragmentMisses";
    private static final String PRUNED = "eyrieFragmentPruned";
    private static final String SCANNED = "eyrieFragmentRangesScanned";
    private static final String KILLED = "by the test";
    // if each of a hundred queries leaked one, a hundred and more would be open
    private static final double LEAKED_DESCRIPTORS = 90;

    private final Path hadoopFile = recordDelimiter("|");
    private final AuditPlugin audit = AuditPlugin.write(Path.of("target/audit"));
    // one node, because no test here depends on which node runs a split
    private final Lake lake = audit.in(Lake.builder(Checkout.find()), Checkout.find().engineLib())
            .name("fragment")
            .workers(0)
            // with the default of 16 threads for each part of a plan, all but one are idle
            .config("task.concurrency", "2")
            .property("fragment-result-cache.enabled", "true")
            .plugin("udf", udf(1))
            .catalog("delimited", Map.of("fragment-result-cache.enabled", "true", "hive.config.resources", hadoopFile.toString()))
            // so that small tables are packed, too
            .property("hive.affinity-scheduling-unpacked-splits-per-node", "1")
            .start();

    private static Path udf(int added)
    {
        return UdfPlugin.write(Path.of("target/udf-plugin"), Checkout.find().engineLib(), added);
    }

    private static Path recordDelimiter(String delimiter)
    {
        try {
            return Files.writeString(
                    Path.of("target/delimited-site.xml").toAbsolutePath(),
                    "<configuration><property><name>textinputformat.record.delimiter</name><value>" + delimiter
                            + "</value></property></configuration>");
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeAll
    void createTables()
    {
        lake.createTpchTables(SCHEMA, 0.01, "ORC", false, (table, rows) -> {});
        for (String format : List.of("orc", "parquet", "textfile")) {
            // nine days of a hundred rows, one file each; a tenth file has rows of one of the days again, and rows without a day
            lake.createTable(
                    SCHEMA,
                    "days_" + format,
                    "v bigint, d date, s varchar, x double, ds varchar",
                    "format = '" + format + "', partitioned_by = ARRAY['ds']");
            client().withSession("task_writer_count", "1").execute("INSERT INTO days_" + format
                    + " SELECT v, date_add('day', day, DATE '2021-01-01'), cast(v AS varchar), if(v % 10 = 0, nan(), v), concat('2021-01-0', cast(day + 1 AS varchar))"
                    + " FROM (SELECT x / 9 v, x % 9 day FROM UNNEST(sequence(0, 899)) AS t(x))"
                    + " UNION ALL SELECT v, if(v % 2 = 0, DATE '2021-01-04'), NULL, NULL, 'holes' FROM UNNEST(sequence(0, 99)) AS t(v)");
        }
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT l_returnflag, l_linestatus, sum(l_quantity), avg(l_extendedprice), count(*) FROM lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY 1, 2",
            "SELECT sum(l_extendedprice * l_discount) FROM lineitem WHERE l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24",
            "SELECT count(*) FROM lineitem WHERE l_comment LIKE '%special%'",
            "SELECT count(*) FROM lineitem",
            "SELECT approx_distinct(l_partkey), min(l_shipdate), max(l_comment), approx_percentile(l_quantity, 0.5) FROM lineitem",
            "SELECT DISTINCT l_shipmode FROM lineitem",
            "SELECT count(DISTINCT l_suppkey) FROM lineitem WHERE l_tax > 0.02",
            "SELECT sum(l_tax) FILTER (WHERE l_quantity > 10), count(*) FROM lineitem",
            "SELECT l_shipmode, sum(CASE WHEN o_orderpriority = '1-URGENT' THEN 1 ELSE 0 END) FROM orders JOIN lineitem ON o_orderkey = l_orderkey"
                    + " WHERE l_shipmode IN ('MAIL', 'SHIP') AND l_quantity > 48 GROUP BY 1",
            "SELECT o_orderkey, o_totalprice FROM orders WHERE o_totalprice > 400000 ORDER BY o_totalprice DESC, o_orderkey LIMIT 10",
            "SELECT o_orderkey, o_totalprice FROM orders ORDER BY o_totalprice DESC, o_orderkey LIMIT 10",
            "SELECT l_orderkey + 1, l_comment, l_shipdate FROM lineitem WHERE l_tax > 0 ORDER BY l_shipdate, 1, l_linenumber, l_comment LIMIT 100",
            "SELECT o_orderpriority, count(*) FROM orders WHERE o_orderkey IN (SELECT l_orderkey FROM lineitem WHERE l_quantity > 49) GROUP BY 1",
            "SELECT o_custkey % 7, row_number() OVER (PARTITION BY o_custkey ORDER BY o_orderkey) FROM orders WHERE o_custkey < 50",
            "SELECT sum(x) FROM (SELECT l_linenumber x FROM lineitem WHERE l_tax > 0.07 UNION ALL SELECT o_shippriority FROM orders WHERE o_orderkey < 700)",
            "SELECT ds, sum(v) FROM days_textfile WHERE v > 50 GROUP BY ROLLUP (ds)",
    })
    void answersAreThoseOfPlansLeftAlone(String sql)
    {
        QueryResult stock = alone().execute(sql);
        QueryResult cold = client().execute(sql);
        // joins that are planned again are computed as one scan
        Rows.assertSameRows(client().execute(sql), stock);
        QueryResult warm = client().execute(sql);
        Rows.assertSameRows(cold, stock);
        Rows.assertSameRows(warm, stock);
        assertThat(sum(cold, HITS) + sum(cold, MISSES)).as("leaves run here").isPositive();
        assertThat(sum(warm, HITS)).as("leaves served, of %s", client().statistics(warm).runtimeMetrics()).isPositive();
        assertThat(sum(warm, MISSES)).as("leaves computed again").isZero();
        assertThat(client().statistics(stock).runtimeMetrics().keySet()).as("plans left alone").noneMatch(name -> name.contains("eyrieFragment"));
    }

    /* Each level uses the previous one twice: expanded, thirty levels have a billion variables. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 12, 14, 18, 30})
    void nestedProjectionsAreComputedOnceEach(int levels)
    {
        assertServedAsLeftAlone("SELECT sum(x), count(*) FROM (" + nested(levels) + ")");
    }

    /* As generated models do: each layer's CASE evaluates the previous one six times. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void layersOfCasesAreComputedOnceEach(int layers)
    {
        String nested = "SELECT l_linenumber x0, l_quantity q FROM lineitem WHERE l_orderkey < 20000";
        for (int i = 1; i <= layers; i++) {
            nested = String.format(Locale.ROOT,
                    "SELECT q, CASE WHEN x%1$d < 2 THEN x%1$d + 1 WHEN x%1$d < 5 THEN x%1$d * 2 WHEN x%1$d > 90 THEN 7 ELSE x%1$d - 1 END x%2$d"
                            + " FROM (%3$s)",
                    i - 1, i, nested);
        }
        assertServedAsLeftAlone("SELECT x" + layers + ", sum(q), count(*) FROM (" + nested + ") GROUP BY 1");
    }

    private void assertServedAsLeftAlone(String sql)
    {
        QueryResult stock = alone().execute(sql);
        Rows.assertSameRows(client().execute(sql), stock);
        QueryResult warm = client().execute(sql);
        Rows.assertSameRows(warm, stock);
        assertThat(sum(warm, HITS)).as("leaves served").isPositive();
        assertThat(sum(warm, MISSES)).as("leaves computed again").isZero();
    }

    private static String keys(int count)
    {
        return IntStream.range(0, count).mapToObj(key -> Integer.toString(5 * key)).collect(Collectors.joining(","));
    }

    private static String nested(int levels)
    {
        String nested = "SELECT l_linenumber % 2 x FROM lineitem";
        for (int i = 0; i < levels; i++) {
            nested = "SELECT x * 2 - x % 2 x FROM (" + nested + ")";
        }
        return nested;
    }

    @Test
    void leafBeyondTheBoundsIsLeftAlone()
    {
        String sql = "SELECT count(*), sum(l_tax) FROM lineitem WHERE l_orderkey IN ("
                + keys(12_000) + ")";
        QueryResult result = client().execute(sql);
        Rows.assertSameRows(result, alone().execute(sql));
        assertThat(sum(result, "eyrieFragmentRefusedTooLarge")).as("the reason, once a leaf").isEqualTo(1);
        assertThat(sum(result, MISSES)).isZero();
        assertThat(client().execute(
                "SELECT sum(misses), sum(element_at(misses_by_reason, 'too_large')) FROM cache.queries WHERE layer = 'fragment' AND query_id = '"
                        + result.queryId() + "'").rows()).hasToString("[[1, 1]]");
    }

    @Test
    void tpchsAnswersAreThoseOfPlansLeftAlone()
    {
        List<String> schemas = new ArrayList<>(List.of(SCHEMA));
        boolean stress = Boolean.getBoolean("eyrie.stress");
        if (stress) {
            lake.createTpchTables("fragments_parquet", 0.01, "PARQUET", true, (table, rows) -> {});
            schemas.add("fragments_parquet");
        }
        for (String schema : schemas) {
            long served = 0;
            long asked = 0;
            // JoinedScanIT runs all of them in the short form, too
            for (int query = 1; query <= TpchQueries.COUNT; query += stress ? 1 : 3) {
                String sql = TpchQueries.sql(query);
                asked++;
                QueryResult stock = alone().withSchema(Lake.CATALOG, schema).execute(sql);
                Rows.assertSameRows(lake.client(schema).execute(sql), stock);
                QueryResult warm = lake.client(schema).execute(sql);
                Rows.assertSameRows(warm, stock);
                served += sum(warm, HITS) > 0 ? 1 : 0;
            }
            assertThat(served).as("queries of %s with leaves served", schema).isGreaterThan(asked / 2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet", "textfile"})
    void windowOfPartitionsThatMovesComputesWhatIsNew(String format)
    {
        String window = "SELECT ds, sum(v) FROM days_" + format + " WHERE ds BETWEEN '2021-01-0%d' AND '2021-01-0%d' GROUP BY ds";
        client().execute(String.format(Locale.ROOT, window, 1, 6));
        String moved = String.format(Locale.ROOT, window, 2, 7);
        QueryResult result = client().execute(moved);
        Rows.assertSameRows(result, alone().execute(moved));
        assertThat(List.of(sum(result, HITS), sum(result, MISSES))).as("hits and misses").containsExactly(5L, 1L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dwrf", "rcbinary", "rctext", "json"})
    void leavesOfOtherFormatsAreServed(String format)
    {
        lake.createTable(SCHEMA, "other_" + format, "v bigint, s varchar", "format = '" + format + "'");
        client().execute("INSERT INTO other_" + format + " SELECT v, if(v % 3 > 0, cast(v AS varchar)) FROM UNNEST(sequence(1, 1000)) AS t(v)");
        String sql = "SELECT v % 7, count(s), max(s) FROM other_" + format + " WHERE s IS NULL OR v > 10 GROUP BY 1";
        QueryResult cold = client().execute(sql);
        QueryResult warm = client().execute(sql);
        Rows.assertSameRows(cold, alone().execute(sql));
        Rows.assertSameRows(warm, cold);
        assertThat(List.of(sum(warm, HITS), sum(warm, MISSES))).as("hits and misses").containsExactly(sum(cold, MISSES), 0L);
    }

    @Test
    void leavesOverBucketsAreServed()
    {
        lake.createTable(SCHEMA, "buckets", "v bigint, s varchar, ds varchar",
                "format = 'ORC', partitioned_by = ARRAY['ds'], bucketed_by = ARRAY['v'], bucket_count = 4");
        client().execute("INSERT INTO buckets SELECT v, cast(v AS varchar), 'day' FROM UNNEST(sequence(1, 1000)) AS t(v)");
        String sql = "SELECT count(*), max(s) FROM buckets WHERE v % 3 = 0";
        QueryResult cold = client().execute(sql);
        QueryResult warm = client().execute(sql);
        Rows.assertSameRows(cold, alone().execute(sql));
        Rows.assertSameRows(warm, cold);
        assertThat(List.of(sum(cold, MISSES), sum(warm, HITS), sum(warm, MISSES))).as("misses, then hits and misses").containsExactly(4L, 4L, 0L);
    }

    @Test
    void firstRowsAreServedAndAlsoSelectedFromAllRows()
    {
        lake.createTable(SCHEMA, "ranked", "v bigint, s varchar, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        client().withSession("task_writer_count", "1").execute("INSERT INTO ranked"
                + " SELECT if(v % 10 > 0, v), rpad(cast(v AS varchar), 300, 'x'), concat('day-', cast(v % 3 AS varchar)) FROM UNNEST(sequence(1, 3000)) AS t(v)");
        List<String> orders = List.of(" ORDER BY v DESC NULLS LAST LIMIT 7", " ORDER BY s LIMIT 9", " ORDER BY v NULLS FIRST, s LIMIT 7");
        for (String order : orders) {
            assertAsLeftAlone("SELECT * FROM ranked" + order, 0, 0, 3, 0);
            assertAsLeftAlone("SELECT * FROM ranked" + order, 0, 3, 0, 0);
        }
        String some = "SELECT v, s FROM ranked WHERE v % 2 = 1";
        assertAsLeftAlone(some + orders.get(0), 0, 0, 3, 0);
        assertAsLeftAlone(some + orders.get(0), 0, 3, 0, 0);
        for (String order : orders.subList(1, orders.size())) {
            QueryResult selected = assertAsLeftAlone(some + order, 0, 3, 0, 0);
            assertThat(sum(selected, "eyrieFragmentSubsumed")).as("splits whose first rows were selected from all rows").isEqualTo(3);
            assertThat(sum(assertAsLeftAlone(some + order, 0, 3, 0, 0), "eyrieFragmentSubsumed")).isZero();
        }
        assertAsLeftAlone(some, 0, 3, 0, 0);
        // too many to be selected in each split
        assertAsLeftAlone("SELECT v, s FROM ranked ORDER BY s LIMIT 1000000", 0, 0, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet"})
    void windowOfRowsThatMovesComputesWhatIsNew(String format)
    {
        String window = "SELECT count(*), max(v), count(d) FROM days_" + format + " WHERE d BETWEEN DATE '2021-01-0%d' AND DATE '2021-01-0%d'";
        QueryResult first = client().execute(String.format(Locale.ROOT, window, 1, 6));
        // the tenth file's rows without a day are in no window, so its predicate remains
        assertThat(List.of(sum(first, HITS), sum(first, MISSES), sum(first, PRUNED))).as("hits, misses, pruned").containsExactly(0L, 7L, 3L);
        String moved = String.format(Locale.ROOT, window, 2, 7);
        QueryResult second = client().execute(moved);
        Rows.assertSameRows(second, alone().execute(moved));
        assertThat(List.of(sum(second, HITS), sum(second, MISSES), sum(second, PRUNED))).as("hits, misses, pruned").containsExactly(5L, 2L, 3L);
    }

    @Test
    void windowOfMomentsThatMovesComputesWhatIsNew()
    {
        lake.createTable(SCHEMA, "moving", "v bigint, t timestamp, ds varchar", "format = 'PARQUET', partitioned_by = ARRAY['ds']");
        // Presto's own writer, which writes statistics of timestamps
        PrestoClient writer = client().withSession("task_writer_count", "1").withSession("eyrie.parquet_optimized_writer_enabled", "true");
        writer.execute("INSERT INTO moving"
                + " SELECT v, TIMESTAMP '1969-12-28 00:00:00.001' + day * INTERVAL '1' DAY + v * INTERVAL '1' MINUTE, concat('day-', cast(day AS varchar))"
                + " FROM UNNEST(sequence(0, 8)) AS d(day), UNNEST(sequence(0, 99)) AS r(v)");
        String window = "SELECT count(*), max(v), min(t) FROM moving WHERE t >= TIMESTAMP '1969-12-%d 00:00:00' AND t < TIMESTAMP '1970-01-0%d 00:00:00'";
        QueryResult first = client().execute(String.format(Locale.ROOT, window, 28, 3));
        assertThat(List.of(sum(first, HITS), sum(first, MISSES), sum(first, PRUNED))).as("hits, misses, pruned").containsExactly(0L, 6L, 3L);
        String moved = String.format(Locale.ROOT, window, 29, 4);
        QueryResult second = client().execute(moved);
        Rows.assertSameRows(second, alone().execute(moved));
        assertThat(List.of(sum(second, HITS), sum(second, MISSES), sum(second, PRUNED))).as("hits, misses, pruned").containsExactly(5L, 1L, 3L);
        writer.execute("INSERT INTO moving SELECT v, if(v % 2 = 0, TIMESTAMP '1970-01-01 00:00:00'), 'holes' FROM UNNEST(sequence(0, 99)) AS r(v)");
        for (int i = 0; i < 2; i++) {
            assertThat(client().execute("SELECT count(*) FROM moving WHERE t >= TIMESTAMP '1960-01-01 00:00:00'").onlyValue()).as("without NULL")
                    .isEqualTo(950L);
        }
    }

    /* Each query has another predicate, which contains three days, excludes three days, and cuts one. */
    @Test
    void windowUpToNowComputesTheDayThatItCuts()
    {
        lake.createTable(SCHEMA, "recent", "v bigint, t timestamp, ds varchar", "format = 'PARQUET', partitioned_by = ARRAY['ds']");
        client().withSession("task_writer_count", "1").withSession("eyrie.parquet_optimized_writer_enabled", "true").execute("INSERT INTO recent"
                + " SELECT v, cast(now() - day * INTERVAL '12' HOUR + (v - 50) * INTERVAL '10' MINUTE AS timestamp), concat('day-', cast(day AS varchar))"
                + " FROM UNNEST(sequence(1, 13, 2) || sequence(6, 6)) AS d(day), UNNEST(sequence(0, 99)) AS r(v)");
        for (String predicate : List.of("t > now() - INTERVAL '3' DAY", "t BETWEEN now() - INTERVAL '3' DAY AND now() + INTERVAL '1' DAY")) {
            String sql = "SELECT count(*), sum(v), max(ds) FROM recent WHERE ds BETWEEN 'day-1' AND 'day-9' AND " + predicate;
            QueryResult first = client().execute(sql);
            Rows.assertSameRows(first, alone().execute(sql));
            QueryResult second = client().execute(sql);
            Rows.assertSameRows(second, first);
            assertThat(List.of(sum(second, HITS), sum(second, MISSES), sum(second, PRUNED))).as("hits, misses, pruned: " + predicate).containsExactly(
                    3L, 1L, 4L);
        }
    }

    /* ORC of these writers, 96-bit timestamps and DWRF have no minimum and maximum of timestamps: the first query reads the column to find them. */
    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET", "DWRF"})
    void windowUpToNowOverFilesThatSayNothing(String format)
    {
        String table = createRecent("silent_" + format.toLowerCase(Locale.ROOT), format);
        String recent = "SELECT count(*), sum(v), max(ds) FROM " + table + " WHERE ds BETWEEN 'day-1' AND 'day-9' AND ";
        QueryResult first = assertAsLeftAlone(recent + "t > now() - INTERVAL '3' DAY", 8, 0, 4, 4);
        QueryResult second = assertAsLeftAlone(recent + "t > now() - INTERVAL '3' DAY", 0, 3, 1, 4);
        assertThat(List.of(rows(first), rows(second))).as("rows of the input").containsExactly("400", "400");
        // the remaining leaf fragment over the contained days is the same
        assertAsLeftAlone(recent + "t BETWEEN now() - INTERVAL '3' DAY AND now() + INTERVAL '1' DAY", 0, 3, 1, 4);
        assertAsLeftAlone(recent + "t > now() - INTERVAL '3' DAY AND t < now() + INTERVAL '1' DAY", 0, 3, 1, 4);
        assertAsLeftAlone(recent + "t <= now() - INTERVAL '3' DAY", 0, 0, 5, 3);
        assertAsLeftAlone(recent + "t <= now() - INTERVAL '3' DAY", 0, 4, 1, 3);
        // NULL is not after any moment, so the predicate remains, but the split may be pruned
        String holes = "SELECT count(*), count(v), min(t) FROM " + table + " WHERE ds = 'holes' AND ";
        assertAsLeftAlone(holes + "t > now() - INTERVAL '30' DAY", 1, 0, 1, 0);
        assertAsLeftAlone(holes + "t > now() - INTERVAL '30' DAY", 0, 0, 1, 0);
        assertAsLeftAlone(holes + "t < now() - INTERVAL '30' DAY", 0, 0, 0, 1);
        String nothing = "SELECT count(*), count(v), min(t) FROM " + table + " WHERE ds = 'nothing' AND ";
        // ORC's footer contains that much
        assertAsLeftAlone(nothing + "t > now() - INTERVAL '30' DAY", format.equals("ORC") ? 0 : 1, 0, 0, 1);
        assertAsLeftAlone(nothing + "t < now()", 0, 0, 0, 1);
        swapFiles(table + "/ds=day-1/", table + "/ds=day-13/");
        assertAsLeftAlone(recent + "t > now() - INTERVAL '3' DAY", 2, 2, 2, 4);
        assertAsLeftAlone(recent + "t > now() - INTERVAL '3' DAY", 0, 3, 1, 4);
    }

    /*
     * Creates partitions of 16 hours each, 12 or 24 hours apart: three after the moment three days ago, one that it cuts, four before it; one
     * partition with some NULLs, and one with only NULLs.
     */
    private String createRecent(String table, String format)
    {
        lake.createTable(SCHEMA, table, "v bigint, t timestamp, ds varchar", "format = '" + format + "', partitioned_by = ARRAY['ds']");
        client().withSession("task_writer_count", "1").execute("INSERT INTO " + table
                + " SELECT v, cast(now() - day * INTERVAL '12' HOUR + (v - 50) * INTERVAL '10' MINUTE AS timestamp), concat('day-', cast(day AS varchar))"
                + " FROM UNNEST(sequence(1, 13, 2) || sequence(6, 6)) AS d(day), UNNEST(sequence(0, 99)) AS r(v)"
                + " UNION ALL SELECT v, if(ds = 'holes' AND v % 2 = 0, cast(now() AS timestamp)), ds"
                + " FROM UNNEST(sequence(0, 99)) AS r(v), UNNEST(ARRAY['holes', 'nothing']) AS p(ds)");
        return table;
    }

    private QueryResult assertAsLeftAlone(String sql, long scanned, long hits, long misses, long pruned)
    {
        QueryResult result = client().execute(sql);
        Rows.assertSameRows(result, alone().execute(sql));
        assertThat(List.of(sum(result, SCANNED), sum(result, HITS), sum(result, MISSES), sum(result, PRUNED))).as("scanned, hits, misses, pruned: "
                + sql).containsExactly(scanned, hits, misses, pruned);
        return result;
    }

    private String rows(QueryResult result)
    {
        return client().statistics(result).queryInfo().path("queryStats").path("rawInputPositions").asText();
    }

    private void swapFiles(String one, String other)
    {
        List<S3Object> files = Stream.of(one, other).flatMap(directory -> lake.s3().client().list(Lake.BUCKET, SCHEMA + "/" + directory).stream())
                .toList();
        assertThat(files).hasSize(2);
        byte[] first = lake.s3().client().get(Lake.BUCKET, files.get(0).key());
        lake.s3().client().put(Lake.BUCKET, files.get(0).key(), lake.s3().client().get(Lake.BUCKET, files.get(1).key()));
        lake.s3().client().put(Lake.BUCKET, files.get(1).key(), first);
    }

    /* Files of ten days each: three after the moment, one that it cuts, four before it. */
    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET"})
    void datesUpToNowComputeTheFileThatNowCuts(String format)
    {
        String table = "dates_" + format.toLowerCase(Locale.ROOT);
        lake.createTable(SCHEMA, table, "v bigint, d date, ds varchar", "format = '" + format + "', partitioned_by = ARRAY['ds']");
        client().withSession("task_writer_count", "1").execute("INSERT INTO " + table
                + " SELECT v, date_add('day', -(10 * file + v % 10), current_date), concat('file-', cast(file AS varchar))"
                + " FROM UNNEST(sequence(0, 7)) AS f(file), UNNEST(sequence(0, 99)) AS r(v)");
        for (String predicate : List.of(
                "d > now() - INTERVAL '35' DAY",
                "now() - INTERVAL '35' DAY <= d",
                "d BETWEEN now() - INTERVAL '35' DAY AND now() + INTERVAL '2' DAY",
                "d >= localtimestamp - INTERVAL '35' DAY")) {
            String sql = "SELECT count(*), sum(v), max(ds) FROM " + table + " WHERE " + predicate;
            QueryResult first = client().execute(sql);
            Rows.assertSameRows(first, alone().execute(sql));
            QueryResult second = client().execute(sql);
            Rows.assertSameRows(second, first);
            assertThat(List.of(sum(second, HITS), sum(second, MISSES), sum(second, PRUNED))).as("hits, misses, pruned: " + predicate).containsExactly(
                    3L, 1L, 4L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet"})
    void whatStatisticsDoNotProveIsAsked(String format)
    {
        for (String predicate : List.of("x < 1000", "x >= 0", "NOT x > 1000", "s < 'a'", "s >= ''", "v >= 0", "d IS NULL", "d IS NOT NULL", "v > 99",
                "s IS NULL OR s > '5'")) {
            String sql = "SELECT count(*), sum(v), count(x), count(s), count(d) FROM days_" + format + " WHERE " + predicate;
            QueryResult stock = alone().execute(sql);
            Rows.assertSameRows(client().execute(sql), stock);
            Rows.assertSameRows(client().execute(sql), stock);
        }
    }

    @Test
    void queryServedFromResultsShowsTheRowsOfItsInput()
    {
        String sql = "SELECT sum(l_partkey) FROM lineitem WHERE l_linenumber > 1";
        QueryStatistics cold = client().statistics(client().execute(sql));
        QueryResult served = client().execute(sql);
        QueryStatistics warm = client().statistics(served);
        assertThat(sum(served, MISSES)).isZero();
        for (String number : List.of("rawInputPositions", "rawInputDataSize")) {
            assertThat(warm.queryInfo().path("queryStats").path(number).asText()).as(number)
                    .isEqualTo(cold.queryInfo().path("queryStats").path(number).asText())
                    .isNotIn("0", "0B", "");
        }
        assertThat(sum(served, "eyrieFragmentSavedBytes")).isPositive();
        assertThat(sum(served, "eyrieFragmentSavedCpuNanos")).isPositive();
    }

    @Test
    void hundredQueriesThatShareLeavesOfWhichSomeAreKilled()
            throws InterruptedException,
            ExecutionException
    {
        List<String> queries = IntStream.range(0, 5)
                .mapToObj(line -> "SELECT l_shipmode, count(*), max(l_comment), approx_distinct(l_orderkey) FROM lineitem WHERE l_linenumber > "
                        + line + " GROUP BY 1")
                .toList();
        List<QueryResult> expected = queries.stream().map(alone()::execute).toList();
        // one object for all calls: each has its own connections
        NodeMBeans node = lake.presto().coordinatorMBeans();
        double descriptors = openDescriptors(node);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                int query = i % queries.size();
                PrestoClient client = i % 3 == 0 ? client().withUser("victim") : client();
                running.add(threads.submit(() -> assertAnswerUnlessKilled(client, queries.get(query), expected.get(query))));
            }
            while (!running.stream().allMatch(Future::isDone)) {
                killOneOf("victim");
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        finally {
            threads.shutdownNow();
        }
        for (int i = 0; i < queries.size(); i++) {
            QueryResult after = client().execute(queries.get(i));
            Rows.assertSameRows(after, expected.get(i));
            assertThat(sum(after, HITS)).isPositive();
        }
        // a killed query's tasks end after it, and connections end after being idle
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while ((heldBytes(node) > 0 || openDescriptors(node) >= descriptors + LEAKED_DESCRIPTORS) && System.nanoTime() < deadline) {
            // unlike a query, opens no connection
            lake.quietCounts();
        }
        assertThat(heldBytes(node)).as("bytes of recordings that nobody will finish").isZero();
        assertThat(openDescriptors(node)).as("open descriptors").isLessThan(descriptors + LEAKED_DESCRIPTORS);
    }

    private static double heldBytes(NodeMBeans node)
    {
        return node.number("io.eyrie:type=FragmentCache,name=" + Lake.CATALOG, "CurrentInFlightBytes");
    }

    private static double openDescriptors(NodeMBeans node)
    {
        return node.number("java.lang:type=OperatingSystem", "OpenFileDescriptorCount");
    }

    private void killOneOf(String user)
    {
        List<String> running = client().execute("SELECT query_id FROM system.runtime.queries WHERE \"user\" = '" + user
                + "' AND state = 'RUNNING' LIMIT 1").strings(0);
        for (String query : running) {
            try {
                client().execute("CALL system.runtime.kill_query(query_id => '" + query + "', message => '" + KILLED + "')");
            }
            catch (QueryFailedException e) {
                // the query has already ended
                assertThat(e).hasMessageContaining("not running");
            }
        }
    }

    private static void assertAnswerUnlessKilled(PrestoClient client, String sql, QueryResult expected)
    {
        try {
            Rows.assertSameRows(client.execute(sql), expected);
        }
        catch (QueryFailedException e) {
            assertThat(e).hasMessageContaining(KILLED);
        }
    }

    @Test
    void nullsUnderAContainedRangeAreNotCounted()
    {
        lake.createTable(SCHEMA, "holes", "v bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        client().execute("INSERT INTO holes SELECT if(x % 2 = 0, x), '2021-01-01' FROM UNNEST(sequence(1, 1000)) AS t(x)");
        client().execute("ANALYZE holes");
        String sql = "SELECT count(*) FROM holes WHERE v BETWEEN 0 AND 100000";
        assertThat(client().execute("SELECT count(*) FROM holes WHERE ds > ''").onlyValue()).isEqualTo(1000L);
        assertThat(client().execute(sql).onlyValue()).isEqualTo(500L);
        assertThat(client().execute(sql).onlyValue()).isEqualTo(500L);
    }

    @Test
    void schemaThatChangesInAFileOfItsOwn()
    {
        lake.createTable(SCHEMA, "avro_rows", "a bigint", "format = 'AVRO'");
        lake.client(SCHEMA).execute("INSERT INTO avro_rows VALUES 1, 2, 3");
        String schema = "{\"type\": \"record\", \"name\": \"r\", \"fields\": [{\"name\": \"b\", \"type\": \"long\", \"default\": %d}]}";
        putSchema(String.format(Locale.ROOT, schema, 0));
        lake.client(SCHEMA).execute("CREATE TABLE avro_defaults (b bigint) WITH (format = 'AVRO', external_location = 's3a://" + Lake.BUCKET + "/"
                + SCHEMA
                + "/avro_rows', avro_schema_url = 's3a://" + Lake.BUCKET + "/" + SCHEMA + "_avro/schema.avsc')");
        for (long value : List.of(0, 0, 7, 7)) {
            putSchema(String.format(Locale.ROOT, schema, value));
            assertThat(client().execute("SELECT sum(b) FROM avro_defaults").onlyValue()).isEqualTo(3 * value);
        }
    }

    private void putSchema(String schema)
    {
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "_avro/schema.avsc", schema.getBytes(UTF_8));
    }

    @Test
    void fileOverwrittenInPlaceIsComputedAgain()
    {
        lake.createTable(SCHEMA, "overwritten", "x varchar", "format = 'TEXTFILE'");
        for (String word : List.of("first", "secon", "third", "forth")) {
            lake.s3().client().put(Lake.BUCKET, SCHEMA + "/overwritten/file", word.getBytes(UTF_8));
            assertThat(client().execute("SELECT max(x) FROM overwritten").onlyValue()).isEqualTo(word);
            assertThat(client().execute("SELECT max(x) FROM overwritten").onlyValue()).isEqualTo(word);
        }
    }

    @Test
    void anotherZoneGetsItsOwnAnswer()
    {
        lake.createTable(SCHEMA, "moments", "t timestamp", "format = 'ORC'");
        client().execute("INSERT INTO moments VALUES TIMESTAMP '2021-01-01 00:30:00', TIMESTAMP '2021-07-01 23:30:00'");
        String sql = "SELECT cast(cast(t AS timestamp with time zone) AS varchar), count(*) FROM moments GROUP BY 1";
        for (String zone : List.of("UTC", "Asia/Tokyo", "America/New_York")) {
            QueryResult cold = client().withTimeZone(zone).execute(sql);
            assertThat(sum(cold, HITS)).as("answers of another zone").isZero();
            Rows.assertSameRows(cold, alone().withTimeZone(zone).execute(sql));
            Rows.assertSameRows(client().withTimeZone(zone).execute(sql), cold);
        }
    }

    @Test
    void usersShareResultsUnlessTheQueryNamesTheUser()
    {
        String sql = "SELECT sum(l_suppkey) FROM lineitem WHERE l_linenumber > 2";
        QueryResult first = client().execute(sql);
        QueryResult second = client().withUser("another").execute(sql);
        assertThat(sum(second, HITS)).isPositive();
        assertThat(sum(second, MISSES)).isZero();
        Rows.assertSameRows(second, first);
        String own = "SELECT sum(l_suppkey), max(concat(current_user, l_linestatus)) FROM lineitem WHERE l_linenumber > 2 AND current_user <> 'a third'";
        client().execute(own);
        QueryResult named = client().withUser("another").execute(own);
        assertThat(sum(named, HITS)).isZero();
        assertThat((String) named.rows().get(0).get(1)).startsWith("another");
        assertThat(client().withUser("a third").execute(own).rows().get(0)).containsOnlyNulls();
    }

    @Test
    void randomIsRandom()
    {
        String sql = "SELECT sum(random() + l_tax) FROM lineitem";
        QueryResult result = client().execute(sql);
        assertThat(result.onlyValue()).isNotEqualTo(client().execute(sql).onlyValue());
        assertThat(sum(result, "eyrieFragmentRefusedNonDeterministic")).as("the reason").isPositive();
    }

    @Test
    void whatFollowsTheClockIsNotServed()
    {
        lake.createTable(SCHEMA, "past", "t timestamp", "format = 'RCBINARY'");
        client().execute("INSERT INTO past VALUES TIMESTAMP '2021-01-01 00:30:00'");
        String sql = "SELECT count(*) FROM past WHERE t < now()";
        for (int i = 0; i < 2; i++) {
            QueryResult result = client().execute(sql);
            assertThat(result.onlyValue()).isEqualTo(1L);
            assertThat(sum(result, HITS)).isZero();
        }
    }

    @Test
    void fileOfAnotherSerdePropertyIsReadAnew()
    {
        lake.createTable(SCHEMA, "commas", "a varchar, b varchar", "format = 'CSV'");
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/commas/file", "1;2,3\n".getBytes(UTF_8));
        assertThat(client().execute("SELECT max(a) FROM commas").onlyValue()).isEqualTo("1;2");
        assertThat(sum(client().execute("SELECT max(a) FROM commas"), HITS)).as("the same CSV served").isPositive();
        client().execute("CREATE TABLE semicolons (a varchar, b varchar) WITH (format = 'CSV', csv_separator = ';', external_location = '"
                + Lake.location(SCHEMA, "commas") + "')");
        assertThat(client().execute("SELECT max(a) FROM semicolons").onlyValue()).isEqualTo("1");
    }

    @Test
    void whatALimitLeftUnreadIsNotKept()
    {
        String filtered = "SELECT o_orderkey FROM orders WHERE o_orderkey > 5";
        client().execute(filtered + " LIMIT 3");
        assertThat(client().execute("SELECT count(*) FROM (" + filtered + ")").onlyValue())
                .isEqualTo(alone().execute("SELECT count(*) FROM (" + filtered + ")").onlyValue());
    }

    @Test
    void resultsOutliveTheCluster()
    {
        String sql = "SELECT l_shipmode, sum(l_quantity) FROM lineitem WHERE l_orderkey > 100 GROUP BY 1";
        QueryResult cold = client().execute(sql);
        String window = "SELECT count(*), sum(v), max(ds) FROM " + createRecent("outliving", "ORC")
                + " WHERE ds BETWEEN 'day-1' AND 'day-9' AND t > now() - INTERVAL '3' DAY";
        assertAsLeftAlone(window, 8, 0, 4, 4);
        String function = "SELECT sum(eyrie_udf(l_linenumber)) - sum(l_linenumber), count(*) FROM lineitem";
        QueryResult added = client().execute(function);
        assertThat(sum(added, "eyrieFragmentRefusedNotBuiltIn")).as("the reason").isPositive();
        assertThat(added.strings(0)).as("one a row").isEqualTo(added.strings(1));
        lake.createTable(SCHEMA, "delimited", "s varchar", "format = 'TEXTFILE'");
        client().execute("INSERT INTO delimited VALUES 'a;b;c'");
        String records = "SELECT count(*) FROM delimited.fragments.delimited";
        assertThat(client().execute(records).onlyValue()).isEqualTo(1L);
        assertThat(sum(client().execute(records), HITS)).as("the catalog's results are stored").isPositive();
        udf(2);
        recordDelimiter(";");
        // immediately: only the orderly end of the process writes it to the disk
        lake.presto().restart();
        assertThat(client().execute(function).strings(0)).as("two a row, by the function's new jar").isNotEqualTo(added.strings(0));
        assertThat(client().execute(records).onlyValue()).as("by the record delimiter of the changed file").isEqualTo(3L);
        assertAsLeftAlone(window, 0, 3, 1, 4);
        QueryResult warm = client().execute(sql);
        Rows.assertSameRows(warm, cold);
        assertThat(sum(warm, HITS)).isPositive();
    }

    @Test
    void promisesOfLeavesAreThoseOfPlansLeftAlone()
    {
        LeafPromises promises = new LeafPromises(lake, audit, SCHEMA);
        promises.createTables();
        assertAll(
                promises::plansStayValid,
                promises::eventsAreThoseOfPlansLeftAlone,
                promises::statisticsAreThoseOfPlansLeftAlone,
                promises::excludedPartitionsAreNotRead,
                promises::excludedBucketsAreNotRead,
                promises::exchangesAreMaterialized,
                promises::samplesAreOfFiles);
    }

    @Test
    void explainShowsTheLeaf()
    {
        assertThat(client().execute("EXPLAIN SELECT sum(l_tax) FROM lineitem WHERE l_quantity > 3").strings(0).get(0)).contains("plan fragment");
    }

    @Test
    void resultThatIsLargeInMemoryIsServedInLittle()
    {
        lake.createTable(SCHEMA, "wide", "k bigint, c varchar", "format = 'ORC'");
        client().withSession("task_writer_count", "1").execute("INSERT INTO wide"
                + " SELECT x * 500 + y, cast(x * 500 + y AS varchar) || rpad('', 2000, 'x')"
                + " FROM UNNEST(sequence(0, 499)) AS a(x) CROSS JOIN UNNEST(sequence(0, 499)) AS b(y)");
        String sql = "SELECT count(*), sum(length(a.c)) FROM (SELECT k, c FROM wide WHERE k % 2 < 2) a JOIN (VALUES 7, 8, 250001) b(k) ON a.k % 1000 = b.k";
        PrestoClient client = client().withSession("join_distribution_type", "BROADCAST");
        QueryResult stock = client.withSession("eyrie.fragment_result_cache_enabled", "false").execute(sql);
        // a large result is stored the second time
        Rows.assertSameRows(client.execute(sql), stock);
        Rows.assertSameRows(client.execute(sql), stock);
        QueryResult served = client.execute(sql);
        Rows.assertSameRows(served, stock);
        assertThat(sum(served, HITS)).as("splits served").isPositive();
        assertThat(sum(served, MISSES)).as("splits computed").isZero();
        // each operator records its own peak: the query's own figure is only sampled
        List<Long> peaks = new ArrayList<>();
        client().statistics(served).queryInfo().path("queryStats").path("operatorSummaries")
                .forEach(operator -> peaks.add(operator.path("peakTotalMemoryReservationInBytes").asLong()));
        assertThat(Collections.max(peaks)).as("bytes of memory, for 500 MB of rows").isBetween(1_000_000L, 25_000_000L);
    }

    /* In these comparisons, a constant's declared type differs from the column's. The engine's own translation of predicates fails on some of them. */
    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet", "textfile"})
    void comparisonsWithConstantsOfAnotherLength(String format)
    {
        String table = "lengths_" + format;
        lake.createTable(SCHEMA, table, "c varchar, d varchar(10), e char(5), n decimal(10,2), t timestamp, ds varchar",
                "format = '" + format + "', partitioned_by = ARRAY['ds']");
        client().withSession("task_writer_count", "1").execute("INSERT INTO " + table
                + " SELECT c, d, e, cast(n AS decimal(10,2)), t, ds FROM (VALUES"
                + " ('abc', 'abc', 'abc', 1.5, TIMESTAMP '2021-01-01 00:00:00', 'one'), ('abcd', 'abcd', 'abcd', 2, TIMESTAMP '2022-01-01 00:00:00', 'one'),"
                + " (NULL, NULL, NULL, NULL, NULL, 'other')) AS r(c, d, e, n, t, ds)");
        for (String predicate : List.of(
                "c IS NOT DISTINCT FROM 'abc'", "c IS DISTINCT FROM 'abc'", "c <> 'abc'", "c >= 'b' AND c IS NOT DISTINCT FROM 'abc'",
                "d IS NOT DISTINCT FROM 'abc'", "e IS NOT DISTINCT FROM 'abc'",
                "n IS NOT DISTINCT FROM 1.5", "n IS DISTINCT FROM 1.50", "n = 1.500",
                "t IS NOT DISTINCT FROM TIMESTAMP '2021-01-01 00:00:00'", "c IS NOT DISTINCT FROM NULL",
                "ds IS NOT DISTINCT FROM 'one' AND c > 'a'", "ds > 'a' AND ds IS DISTINCT FROM 'other' AND n < 2")) {
            String sql = "SELECT count(*), max(c), max(ds) FROM " + table + " WHERE " + predicate;
            String stock = answer(alone(), sql);
            assertThat(answer(client(), sql)).as(sql).isEqualTo(stock);
            assertThat(answer(client(), sql)).as("again: " + sql).isEqualTo(stock);
        }
    }

    private static String answer(PrestoClient client, String sql)
    {
        try {
            return client.execute(sql).rows().toString();
        }
        catch (QueryFailedException e) {
            // without the query's id and the split that failed first
            return String.valueOf(e.getMessage()).replaceAll("#\\w+|s3a://\\S+ \\([^)]*\\)", "");
        }
    }

    private PrestoClient client()
    {
        return lake.client(SCHEMA);
    }

    private PrestoClient alone()
    {
        return client().withSession("eyrie.fragment_result_cache_enabled", "false");
    }

    private long sum(QueryResult result, String metric)
    {
        return client().statistics(result).metric(metric).sum();
    }
}
