// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.s3.S3Object;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real queries on a coordinator that reads footers in the background, and drops the splits that they exclude. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FileStatisticsIT
{
    private static final String SCHEMA = "statistics";
    private static final String DROPPED = "eyrieFragmentDropped";
    private static final String OFF = "off";
    private static final String BUDGETED = "budgeted";
    private static final int PARTITIONS = 12;
    private static final int ROWS = 50;

    private Lake lake;

    @BeforeAll
    void start()
    {
        Checkout checkout = Checkout.find();
        LakeBuilder builder = Lake.builder(checkout)
                .name("file-statistics")
                .workers(1)
                // workers read timestamps with their own zone, which is UTC
                .coordinatorJvmOption("-Duser.timezone=America/New_York")
                .plugin("filters", FilterPlugin.write(Path.of("target", "statistics-filters"), checkout.engineLib()))
                .property("cache.file-statistics", "on")
                .property("fragment-result-cache.enabled", "true")
                .property("hive.metastore-cache-ttl", "1d")
                .property("hive.allow-drop-table", "true")
                .catalog(OFF, Map.of("fragment-result-cache.enabled", "true", "cache.operators", FilterPlugin.LIMITED))
                .catalog(BUDGETED, Map.of(
                        "fragment-result-cache.enabled", "true",
                        "cache.file-statistics", "budgeted",
                        "cache.file-statistics.daily-requests", "3"));
        lake = builder.start();
        lake.client(SCHEMA).execute("CREATE SCHEMA " + SCHEMA);
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    /* Each partition is one file, with x from its number times ROWS on. */
    private void table(String name, String format)
    {
        lake.createTable(SCHEMA, name, "x bigint, price decimal(12,2), day date, ts timestamp, note varchar, p integer",
                "format = '" + format + "', partitioned_by = ARRAY['p']");
        writer().execute("INSERT INTO " + name + " SELECT x, cast(x AS decimal(12,2)) / 10, DATE '2020-01-01' + interval '1' day * x,"
                + " TIMESTAMP '2020-01-01 00:00:00' + interval '1' hour * x, if(x % 7 = 0, NULL, lpad(cast(x AS varchar), 5, '0')),"
                + " cast(x / " + ROWS + " AS integer) FROM UNNEST(sequence(0, " + (PARTITIONS * ROWS - 1) + ")) AS t(x)");
    }

    private PrestoClient client()
    {
        return lake.client(SCHEMA);
    }

    private PrestoClient writer()
    {
        return client().withSession("task_writer_count", "1");
    }

    private long dropped(PrestoClient client, String sql)
    {
        return client.statistics(client.execute(sql)).metric(DROPPED).sum();
    }

    private double counter(String catalog, String name)
    {
        return lake.presto().coordinatorMBeans().number("io.eyrie:type=FileStatistics,name=" + catalog, name);
    }

    /* Runs a query until the coordinator knows all files that it will read for it. */
    private void learn(PrestoClient client, String sql, long files)
    {
        await(() -> counter(Lake.CATALOG, "CurrentQueuedFiles") == 0);
        double before = counter(Lake.CATALOG, "FilesRead") + counter(Lake.CATALOG, "ReadFailures");
        client.execute(sql);
        client.execute(sql);
        await(() -> counter(Lake.CATALOG, "FilesRead") + counter(Lake.CATALOG, "ReadFailures") >= before + files);
    }

    private void await(BooleanSupplier condition)
    {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("a minute has passed").isLessThan(end);
            client().execute("SELECT 1");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET"})
    void excludedFilesCostNoSplit(String format)
    {
        String table = "facts_" + format.toLowerCase(Locale.ROOT);
        table(table, format);
        PrestoClient client = client();
        learn(client, "SELECT sum(x) FROM " + table + " WHERE x < 0", PARTITIONS);
        boolean orc = format.equals("ORC");
        for (Map.Entry<String, Integer> predicate : Map.of(
                "x BETWEEN 120 AND 130", 11,
                "x < 75", 10,
                "day = DATE '2020-01-11'", 11,
                "ts >= TIMESTAMP '2020-01-25 00:00:00'", 0, // neither of Presto's default writers stores a range of timestamps
                "price < 7.45", orc ? 10 : 0,
                "note IS NULL", 0,
                "note = '00051'", orc ? 11 : 0,
                "x IS NULL", 12,
                "x > 1000", 12,
                "x % 2 = 0", 0).entrySet()) {
            String sql = "SELECT count(*), sum(x), min(note), max(day) FROM " + table + " WHERE " + predicate.getKey();
            QueryResult result = client.execute(sql);
            assertThat(client.statistics(result).metric(DROPPED).sum()).as(format + ": " + predicate.getKey()).isEqualTo((long) predicate.getValue());
            PrestoClient workers = client.withSession("eyrie.file_statistics_cache_mode", "BYPASS");
            QueryResult pruned = workers.execute(sql);
            assertThat(workers.statistics(pruned).metric(DROPPED).sum()).isZero();
            assertThat(workers.statistics(pruned).metric("eyrieFragmentPruned").sum()).as("what a worker excludes: " + predicate.getKey()).isEqualTo(
                    (long) predicate.getValue());
            assertThat(result.rows()).as(predicate.getKey()).isEqualTo(client.withSession("eyrie.fragment_result_cache_enabled", "false").execute(sql)
                    .rows());
        }
        // without an aggregation, in a join, and with a limit
        for (String sql : List.of(
                "SELECT x, note FROM " + table + " WHERE x BETWEEN 120 AND 122 ORDER BY x",
                "SELECT a.x FROM " + table + " a JOIN " + table + " b ON a.x = b.x + 1 WHERE a.x < 7 AND b.x < 7 ORDER BY 1",
                "SELECT x FROM " + table + " WHERE x = 77 LIMIT 5",
                "SELECT p, count(*) FROM " + table + " WHERE x > 500 GROUP BY p ORDER BY p")) {
            assertThat(dropped(client, sql)).as(sql).isPositive();
            assertThat(client.execute(sql).rows()).as(sql).isEqualTo(client.withSession("eyrie.cache_enabled", "false").execute(sql).rows());
        }
    }

    /* Presto's reader of ORC fetches a file of up to 8 MB as a whole. */
    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET"})
    void footersOfSmallFilesAreReadAlone(String format)
    {
        await(() -> counter(Lake.CATALOG, "CurrentQueuedFiles") == 0);
        double files = counter(Lake.CATALOG, "FilesRead");
        double bytes = counter(Lake.CATALOG, "ReadBytes");
        String table = "small_" + format.toLowerCase(Locale.ROOT);
        lake.createTable(SCHEMA, table, "k bigint, note varchar", "format = '" + format + "'");
        writer().execute("INSERT INTO " + table + " SELECT l_orderkey, l_comment FROM tpch.tiny.lineitem");
        long fileBytes = (Long) client().execute("SELECT DISTINCT \"$file_size\" FROM " + table).onlyValue();
        for (int i = 0; i < 2; i++) {
            client().execute("SELECT count(*) FROM " + table + " WHERE k < 0");
        }
        await(() -> counter(Lake.CATALOG, "FilesRead") > files && counter(Lake.CATALOG, "CurrentQueuedFiles") == 0);
        assertThat(counter(Lake.CATALOG, "FilesRead")).isEqualTo(files + 1);
        assertThat(counter(Lake.CATALOG, "ReadBytes") - bytes).isBetween(1.0, fileBytes / 4.0);
    }

    /* A temporary table is scanned by one query only, and its files would use up the budget. */
    @Test
    void tableThatOneQueryScansTwiceIsNotLearned()
    {
        table("twice", "ORC");
        String sql = "SELECT count(*) FROM twice a JOIN twice b ON a.x = b.x + 1 WHERE a.x < 7 AND b.x < 7";
        await(() -> counter(Lake.CATALOG, "CurrentQueuedFiles") == 0);
        double before = counter(Lake.CATALOG, "FilesRead");
        client().execute(sql);
        assertThat(counter(Lake.CATALOG, "FilesRead") + counter(Lake.CATALOG, "CurrentQueuedFiles")).isEqualTo(before);
        client().execute(sql);
        await(() -> counter(Lake.CATALOG, "FilesRead") >= before + PARTITIONS);
    }

    @Test
    void changedAndNewFilesAreNotMistakenForTheOldOnes()
    {
        table("changing", "ORC");
        String sql = "SELECT count(*), sum(x) FROM changing WHERE x BETWEEN 5000 AND 5010";
        PrestoClient client = client();
        learn(client, sql, PARTITIONS);
        assertThat(dropped(client, sql)).isEqualTo(PARTITIONS);
        // a file that another writer overwrites in place, in the same partition
        List<S3Object> files = lake.s3().client().list(Lake.BUCKET, SCHEMA + "/changing/p=3/").stream().filter(file -> file.size() > 0).toList();
        assertThat(files).hasSize(1);
        lake.createTable(SCHEMA, "donor", "x bigint, price decimal(12,2), day date, ts timestamp, note varchar", "format = 'ORC'");
        writer().execute("INSERT INTO donor VALUES (5005, 1.0, DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00', 'new')");
        S3Object donor = lake.s3().client().list(Lake.BUCKET, SCHEMA + "/donor/").stream().filter(file -> file.size() > 0).findFirst().orElseThrow();
        lake.s3().client().put(Lake.BUCKET, files.get(0).key(), lake.s3().client().get(Lake.BUCKET, donor.key()));
        assertThat(client.execute(sql).rows()).containsExactly(List.of(1L, 5005L));
        // a new file in another partition, and a new partition
        writer().execute(
                "INSERT INTO changing SELECT 5006, 1.0, DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00', 'x', p FROM (VALUES 5, 99) t(p)");
        assertThat(client.execute(sql).rows()).containsExactly(List.of(3L, 15_017L));
        await(() -> dropped(client(), sql) == PARTITIONS - 1);
        assertThat(client.execute(sql).rows()).containsExactly(List.of(3L, 15_017L));
    }

    @Test
    void restartedCoordinatorReadsNoFooterAgain()
    {
        table("restarted", "PARQUET");
        String sql = "SELECT count(*) FROM restarted WHERE x = 77";
        learn(client(), sql, PARTITIONS);
        lake.presto().restart();
        PrestoClient client = client();
        QueryResult first = client.execute(sql);
        assertThat(first.rows()).containsExactly(List.of(1L));
        assertThat(client.statistics(first).metric(DROPPED).sum()).as("splits dropped by the first query").isEqualTo(PARTITIONS - 1);
        assertThat(counter(Lake.CATALOG, "StoredFilesFound")).isGreaterThanOrEqualTo(PARTITIONS);
        assertThat(counter(Lake.CATALOG, "FilesRead")).isZero();
        assertThat(counter(Lake.CATALOG, "ReadRequests")).isZero();
    }

    @Test
    void budgetIsKeptAndOffReadsNothing()
    {
        table("priced", "ORC");
        String sql = "SELECT sum(x) FROM priced WHERE x > 10000";
        for (String catalog : List.of(OFF, BUDGETED)) {
            PrestoClient client = lake.presto().client(catalog, SCHEMA);
            for (int i = 0; i < 5; i++) {
                client.execute(sql);
            }
        }
        await(() -> counter(BUDGETED, "CurrentQueuedFiles") == 0 && counter(BUDGETED, "ReadRequests") >= 3);
        PrestoClient client = lake.presto().client(BUDGETED, SCHEMA);
        QueryResult over = client.execute(sql);
        // a file may take two requests
        assertThat(counter(BUDGETED, "ReadRequests")).isBetween(3.0, 6.0);
        assertThat(client.statistics(over).metric(DROPPED).sum()).isBetween(1L, 3L);
        assertThat(counter(OFF, "ReadRequests") + counter(OFF, "Lookups")).isZero();
        assertThat(client.execute("SELECT element_at(misses_by_reason, 'over_footer_budget') > 0, loads > 0 AND load_bytes > 0"
                + " FROM cache.layers WHERE layer = 'file_statistics' AND lookups > 0").rows()).containsExactly(List.of(true, true));
        assertThat(client.execute("SELECT count(*) FROM cache.savings WHERE table_name = 'priced' AND saved_get_requests < 0 AND saved_bytes < 0")
                .onlyValue()).as("nodes that only spent").isEqualTo(1L);
        lake.presto().client(OFF, SCHEMA).execute("SELECT 1");
        LinkCounts before = lake.quietCounts();
        lake.presto().client(OFF, SCHEMA).execute(sql);
        assertThat(lake.quietCounts().minus(before).of(RequestKind.GET_DATA).requests()).as("requests with statistics off").isZero();
    }

    /* Hive on Tez leaves such files for empty buckets. */
    @Test
    void fileWithoutBytesHasNoRows()
    {
        table("hollow", "ORC");
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/hollow/p=2/empty", new byte[0]);
        double failures = counter(Lake.CATALOG, "ReadFailures");
        String sql = "SELECT count(*) FROM hollow WHERE x >= 0";
        learn(client(), sql, PARTITIONS + 1);
        assertThat(counter(Lake.CATALOG, "ReadFailures")).isEqualTo(failures);
        assertThat(client().execute(sql).onlyValue()).isEqualTo((long) PARTITIONS * ROWS);
        assertThat(dropped(client(), sql)).isEqualTo(1);
    }

    @Test
    void fileThatIsRefusedFailsEachQuery()
    {
        table("broken", "ORC");
        String sql = "SELECT count(*) FROM broken WHERE x > 10000";
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/broken/p=2/no-footer", "this is no ORC file, whatever its name".getBytes(UTF_8));
        PrestoClient client = client();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> client.execute(sql)).isInstanceOf(QueryFailedException.class).hasMessageContaining("no-footer");
        }
        await(() -> counter(Lake.CATALOG, "ReadFailures") > 0);
        assertThatThrownBy(() -> client.execute(sql)).isInstanceOf(QueryFailedException.class).hasMessageContaining("no-footer");
        // a column whose type is not that of the table: Presto's reader refuses the file, whichever rows are wanted
        table("mistyped", "PARQUET");
        lake.createTable(SCHEMA, "texts", "x varchar, price decimal(12,2), day date, ts timestamp, note varchar", "format = 'PARQUET'");
        writer().execute("INSERT INTO texts VALUES ('a', 1.0, DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00', 'new')");
        S3Object text = lake.s3().client().list(Lake.BUCKET, SCHEMA + "/texts/").stream().filter(file -> file.size() > 0).findFirst().orElseThrow();
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/mistyped/p=2/texts", lake.s3().client().get(Lake.BUCKET, text.key()));
        String mistyped = "SELECT count(x) FROM mistyped WHERE note = 'zzzzzz'";
        for (int i = 0; i < 4; i++) {
            assertThatThrownBy(() -> client.execute(mistyped)).isInstanceOf(QueryFailedException.class);
        }
    }

    /* The same rows as without the cache, from the splits that remain. */
    private QueryResult pruned(PrestoClient client, String sql, long splits)
    {
        QueryResult result = client.execute(sql);
        assertThat(client.statistics(result).metric(DROPPED).sum()).as("splits dropped for " + sql).isEqualTo(splits);
        assertThat(result.rows()).as(sql).isEqualTo(client.withSession("eyrie.cache_enabled", "false").execute(sql).rows());
        return result;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET"})
    void rowFiltersAndMasksDecideBeforeStatistics(String format)
    {
        String table = "guarded_" + format.toLowerCase(Locale.ROOT);
        table(table, format);
        PrestoClient all = client();
        PrestoClient limited = all.withUser(FilterPlugin.LIMITED);
        PrestoClient masked = all.withUser(FilterPlugin.MASKED);
        learn(all, "SELECT sum(x) FROM " + table + " WHERE x < 0", PARTITIONS);
        String last = "SELECT count(*), sum(x), max(note) FROM " + table + " WHERE x >= 580";
        assertThat(pruned(all, last, PARTITIONS - 1).rows()).containsExactly(List.of(20L, 11_790L, "00599"));
        // the condition excludes the two files that the filter does not exclude
        assertThat(pruned(limited, "SELECT count(*) FROM " + table + " WHERE day >= DATE '2021-08-01'", PARTITIONS).rows()).containsExactly(List.of(
                0L));
        assertThat(pruned(limited, "SELECT count(*), sum(x) FROM " + table, PARTITIONS - 2).rows()).containsExactly(List.of(100L, 4_950L));
        assertThat(pruned(limited, "SELECT count(*) FROM " + table + " WHERE x >= 75", PARTITIONS - 1).rows()).containsExactly(List.of(25L));
        // what a condition says of a masked column, the footer does not say of the column in the file
        assertThat(pruned(masked, "SELECT count(*), min(x) FROM " + table + " WHERE x >= 1000", 0).rows()).containsExactly(List.of(600L, 1_000L));
        assertThat(pruned(masked, "SELECT count(*), min(x) FROM " + table + " WHERE x < 600", 0).rows().get(0).get(0)).isEqualTo(0L);
        assertThat(pruned(masked, "SELECT count(*) FROM " + table + " WHERE note = 'hidden'", 0).rows()).containsExactly(List.of(600L));
        assertThat(pruned(masked, "SELECT count(*) FROM " + table + " WHERE day IS NULL", 0).rows()).containsExactly(List.of(600L));
        assertThat(pruned(masked, "SELECT count(*) FROM " + table + " WHERE day = DATE '2020-01-11'", 0).rows()).containsExactly(List.of(0L));
        // a column without a mask
        assertThat(pruned(masked, "SELECT count(*), min(x) FROM " + table + " WHERE p = 3 AND ts >= TIMESTAMP '2020-01-01 00:00:00'", 0).rows())
                .containsExactly(List.of(50L, 1_150L));
        assertThat(pruned(all, last, PARTITIONS - 1).rows()).as("after other users").containsExactly(List.of(20L, 11_790L, "00599"));
    }

    @Test
    void warmingBypassesNoSystemAccessControl()
    {
        table("guarded_warm", "ORC");
        String warm = ".system.warm_cache(schema_name => '" + SCHEMA + "', table_name => 'guarded_warm'))";
        PrestoClient operator = client().withUser(FilterPlugin.LIMITED);
        assertThatThrownBy(() -> operator.execute("SELECT p, path FROM TABLE(" + Lake.CATALOG + warm)).hasMessageContaining(
                "cache.operators does not name the user");
        assertThatThrownBy(() -> operator.execute("CALL " + Lake.CATALOG + ".system.pin_in_cache('" + SCHEMA + "', 'guarded_war')"))
                .hasMessageContaining("Access Denied").hasMessageNotContaining("guarded_warm");
        assertThatThrownBy(() -> client().withUser(FilterPlugin.MASKED).execute("SELECT p FROM TABLE(" + OFF + warm)).hasMessageContaining(
                "Access Denied");
        assertThat(operator.execute("SELECT p FROM TABLE(" + OFF + warm).rows()).hasSize(PARTITIONS);
    }

    @Test
    void samplesOfSplitsAndRows()
    {
        table("sampled", "ORC");
        PrestoClient client = client();
        String where = " WHERE x < 100";
        learn(client, "SELECT sum(x) FROM sampled" + where, PARTITIONS);
        assertThat(pruned(client, "SELECT count(*), sum(x) FROM sampled TABLESAMPLE SYSTEM (100)" + where, PARTITIONS - 2).rows()).containsExactly(
                List.of(100L, 4_950L));
        assertThat(client.execute("SELECT count(*) FROM sampled TABLESAMPLE SYSTEM (0)" + where).onlyValue()).isEqualTo(0L);
        assertThat(client.execute("SELECT count(*), sum(x) FROM sampled TABLESAMPLE BERNOULLI (100)" + where).rows()).containsExactly(List.of(100L,
                4_950L));
        Set<Object> counts = new TreeSet<>();
        for (int i = 0; i < 30; i++) {
            counts.add(client.execute("SELECT count(*) FROM sampled TABLESAMPLE SYSTEM (50)" + where).onlyValue());
        }
        assertThat(counts).as("rows of none, one or both of two files").isSubsetOf(0L, 50L, 100L).hasSizeGreaterThan(1);
    }

    @Test
    void hiddenColumnsAndCounts()
    {
        table("hiding", "PARQUET");
        PrestoClient client = client();
        learn(client, "SELECT sum(x) FROM hiding WHERE x < 0", PARTITIONS);
        String path = client.execute("SELECT DISTINCT \"$path\" FROM hiding WHERE p = 2").onlyValue().toString();
        for (Map.Entry<String, Integer> expected : Map.of(
                "SELECT \"$path\", count(*) FROM hiding WHERE x BETWEEN 120 AND 130 GROUP BY 1", PARTITIONS - 1,
                "SELECT count(*) FROM hiding WHERE \"$path\" = '" + path + "' AND x < 1000", 0,
                "SELECT \"$file_size\" > 0, \"$file_modified_time\" > 0, x FROM hiding WHERE x = 77", PARTITIONS - 1,
                "SELECT count(*) FROM hiding WHERE \"$file_size\" < 0 OR x < 0", 0,
                "SELECT count(*) FROM hiding WHERE \"$file_size\" > 0 AND x > 599", PARTITIONS).entrySet()) {
            pruned(client, expected.getKey(), expected.getValue());
        }
        for (Map.Entry<String, Integer> expected : Map.of(
                "SELECT count(*) FROM hiding", 0,
                "SELECT count(*) FROM hiding WHERE x < 75", PARTITIONS - 2,
                "SELECT count(*) FROM hiding WHERE x > 599", PARTITIONS,
                "SELECT count(*) FROM hiding WHERE x >= 0", 0,
                "SELECT p, count(*) FROM hiding WHERE x > 599 GROUP BY p", PARTITIONS,
                "SELECT count(*) FROM (SELECT 1 FROM hiding WHERE x < 75 LIMIT 60)", PARTITIONS - 2,
                "SELECT count(DISTINCT p), count_if(x > 3) FROM hiding WHERE x < 75", PARTITIONS - 2,
                "SELECT EXISTS (SELECT 1 FROM hiding WHERE x > 599)", PARTITIONS).entrySet()) {
            pruned(client, expected.getKey(), expected.getValue());
            pruned(client.withSession("optimize_metadata_queries", "true"), expected.getKey(), expected.getValue());
        }
        PrestoClient pushing = client.withSession("eyrie.partial_aggregation_pushdown_enabled", "true");
        for (String sql : List.of("SELECT count(*), min(x), max(x) FROM hiding", "SELECT count(*) FROM hiding WHERE x < 75")) {
            assertThat(pushing.execute(sql).rows()).as(sql).isEqualTo(client.withSession("eyrie.cache_enabled", "false").execute(sql).rows());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET"})
    void bucketsWithoutSplits(String format)
    {
        int buckets = 4;
        String name = "buckets_" + format.toLowerCase(Locale.ROOT);
        for (String table : List.of(name, name + "_too")) {
            lake.createTable(SCHEMA, table, "x bigint, bucket bigint, p integer", "format = '" + format
                    + "', partitioned_by = ARRAY['p'], bucketed_by = ARRAY['x'], bucket_count = " + buckets);
            writer().execute("INSERT INTO " + table + " SELECT x, x % " + buckets
                    + ", cast(x / 100 AS integer) FROM UNNEST(sequence(0, 299)) AS t(x)");
        }
        PrestoClient client = client();
        int files = 3 * buckets;
        for (String table : List.of(name, name + "_too")) {
            learn(client, "SELECT sum(x) FROM " + table + " WHERE x < 0", files);
        }
        assertThat(client.execute("SELECT count(DISTINCT (p, bucket)), count(DISTINCT (p, \"$bucket\")), count(DISTINCT \"$path\") FROM " + name)
                .rows()).as("each file has one value of the column bucket").containsExactly(List.of((long) files, (long) files, (long) files));
        String join = "SELECT count(*), sum(a.x) FROM " + name + " a JOIN " + name
                + "_too b ON a.x = b.x WHERE a.bucket = 1 AND b.p = 2 AND b.x > 250";
        pruned(client, join, files - 1); // a joined scan: one file of the large table is left
        PrestoClient scans = client.withSession("eyrie.fragment_result_cache_joined_admission", "NEVER");
        PrestoClient grouped = scans.withSession("grouped_execution", "true").withSession("colocated_join", "true");
        for (PrestoClient session : List.of(scans, grouped, grouped.withSession("recoverable_grouped_execution", "true"))) {
            pruned(session, "SELECT count(*), sum(x) FROM " + name + " WHERE x BETWEEN 120 AND 150", files - buckets);
            // Presto itself reads one bucket of each partition
            pruned(session, "SELECT count(*), sum(x) FROM " + name + " WHERE x = 121", 2);
            pruned(session, "SELECT \"$bucket\", count(*) FROM " + name + " WHERE bucket = 1 GROUP BY 1", files - 3);
            // each bucket is a group of its own, and three of them have no splits
            pruned(session, "SELECT x, count(*) FROM " + name + " WHERE bucket = 1 GROUP BY x ORDER BY x", files - 3);
            pruned(session, "SELECT x, count(*) FROM " + name + " WHERE bucket > 3 GROUP BY x ORDER BY x", files);
            pruned(session, "SELECT count(*), sum(a.x), count(b.bucket) FROM " + name + " a LEFT JOIN " + name
                    + "_too b ON a.x = b.x AND b.bucket = 1",
                    files - 3);
            pruned(session, join, files - 1);
            pruned(session, "SELECT count(*) FROM " + name + " a FULL JOIN " + name + "_too b ON a.x = b.x WHERE coalesce(a.bucket, 1) = 1", 0);
        }
    }

    /* Presto skips row groups and stripes by the same numbers. */
    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET"})
    void footerThatLiesLosesTheRowsThatItLosesInPresto(String format)
    {
        String table = "lying_" + format.toLowerCase(Locale.ROOT);
        lake.createTable(SCHEMA, table, "x bigint", "format = '" + format + "'");
        writer().withSession("eyrie.compression_codec", "NONE").withSession("eyrie.orc_compression_codec", "NONE").execute("INSERT INTO " + table
                + " SELECT x FROM UNNEST(sequence(1000, 1019)) AS t(x)");
        S3Object file = lake.s3().client().list(Lake.BUCKET, SCHEMA + "/" + table + "/").stream().filter(object -> object.size() > 0).findFirst()
                .orElseThrow();
        byte[] honest = lake.s3().client().get(Lake.BUCKET, file.key());
        lake.s3().client().put(Lake.BUCKET, file.key(), format.equals("ORC")
                // a maximum in a footer, as field 2 of a protocol buffer: 1019 becomes 1005
                ? replacedLast(honest, new byte[] {0x10, (byte) 0xf6, 0x0f}, new byte[] {0x10, (byte) 0xda, 0x0f})
                // all maximums, as a text of eight bytes: 1019 becomes 1005
                : replacedAll(honest, new byte[] {8, (byte) 0xfb, 3, 0, 0, 0, 0, 0, 0}, new byte[] {8, (byte) 0xed, 3, 0, 0, 0, 0, 0, 0}));
        PrestoClient client = client();
        String honestly = "SELECT count(*) FROM " + table + " WHERE x = 1003";
        String lost = "SELECT count(*) FROM " + table + " WHERE x = 1010";
        assertThat(client.withSession("eyrie.cache_enabled", "false").execute(lost).onlyValue()).as("Presto's own answer").isEqualTo(0L);
        learn(client, lost, 1);
        assertThat(pruned(client, lost, 1).onlyValue()).isEqualTo(0L);
        assertThat(pruned(client, honestly, 0).onlyValue()).isEqualTo(1L);
        assertThat(client.execute("SELECT count(*) FROM " + table + " WHERE x % 1010 = 0").onlyValue()).as("without statistics").isEqualTo(1L);
    }

    /* Presto only skips row groups by these numbers, but Eyrie also omits conditions that all rows of a file satisfy. */
    @Test
    void textsInTheOrderOfOldWriters()
    {
        String old = "parquet-mr version 1.8.1 (build 4aba4dae7bb0d4edbcf7923ae1339f28fd3f7fcf)";
        oldTexts("cities", old, "Bézier", "Zwolle", "'Basel', 'Bern', 'Bézier', 'Zürich', 'Zwolle'");
        sameAsPresto("cities", "name > 'Bern'", "name BETWEEN 'Bf' AND 'Zz'", "name < 'Zz'", "name >= 'Bézier'", "name <= 'Zwolle'", "name > 'A'",
                "name < 'a'", "name > 'Zwolle'", "name < 'A'", "name = 'Bern'", "name IS NULL", "name IN ('Basel', 'Zürich')");
        oldTexts("ordered", old, "Aachen", "Zwolle", "'Aachen', 'Zürich', 'Zwolle'");
        sameAsPresto("ordered", "name < 'Zz'", "name <= 'Zwolle'", "name >= 'Aachen'", "name > 'Zwolle'");
        oldTexts("cyrillic", old, "да", "да нет", "'да', 'да нет', 'дай'");
        sameAsPresto("cyrillic", "name <= 'да нет'", "name >= 'да'", "name < 'дай'");
        // PARQUET-251: both are the bytes of the last text
        oldTexts("reused", "parquet-mr version 1.6.0", "DE", "DE", "'FR', 'IT', 'DE'");
        sameAsPresto("reused", "name = 'DE'", "name <> 'FR'", "name < 'F'", "name = 'FR'");
        // the bounds still prove something
        String none = "SELECT count(*) FROM cities WHERE name < 'B'";
        await(() -> dropped(client(), none) == 1);
        assertThat(client().execute(none).onlyValue()).isEqualTo(0L);
        sameAsPresto("cities", "name > 'Bern'", "name > 'Zwolle'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "America-New_York"})
    void timestampsOfWorkersInAnotherZone(String zone)
            throws IOException
    {
        String table = "zones_" + zone.replace('-', '_').toLowerCase(Locale.ROOT);
        lake.createTable(SCHEMA, table, "id bigint, c char(10), v varchar(12), moment timestamp", "format = 'ORC'");
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/" + table + "/file", Files.readAllBytes(Path.of(
                "src/test/resources/foreign/corpus/pyorc/characters-" + zone + ".orc")));
        PrestoClient presto = client().withSession("eyrie.cache_enabled", "false");
        List<Object> bounds = presto.execute("SELECT cast(min(moment) AS varchar), cast(max(moment) AS varchar) FROM " + table).rows().get(0);
        String least = "TIMESTAMP '" + bounds.get(0) + "'";
        String most = "TIMESTAMP '" + bounds.get(1) + "'";
        String none = "SELECT count(*) FROM " + table + " WHERE moment > " + most + " + INTERVAL '5' DAY";
        client().execute(none);
        await(() -> dropped(client(), none) == 1);
        for (String condition : List.of(
                "moment <= " + least,
                "moment >= " + most,
                "moment < " + least + " + INTERVAL '4' HOUR",
                "moment > " + most + " - INTERVAL '4' HOUR")) {
            String sql = "SELECT count(*) FROM " + table + " WHERE " + condition;
            assertThat((Long) pruned(client(), sql, 0).onlyValue()).as(sql).isPositive();
        }
    }

    private void oldTexts(String table, String creator, String min, String max, String texts)
    {
        lake.createTable(SCHEMA, table, "name varchar", "format = 'PARQUET'");
        writer().execute("INSERT INTO " + table + " SELECT name FROM UNNEST(ARRAY[" + texts + "]) AS t(name)");
        S3Object file = lake.s3().client().list(Lake.BUCKET, SCHEMA + "/" + table + "/").stream().filter(object -> object.size() > 0).findFirst()
                .orElseThrow();
        lake.s3().client().put(Lake.BUCKET, file.key(), OldParquet.written(lake.s3().client().get(Lake.BUCKET, file.key()), creator, min, max));
    }

    private void sameAsPresto(String table, String... conditions)
    {
        PrestoClient presto = client().withSession("eyrie.cache_enabled", "false");
        for (String condition : conditions) {
            for (String sql : List.of(
                    "SELECT name FROM " + table + " WHERE " + condition + " ORDER BY name LIMIT 50",
                    "SELECT count(*) FROM " + table + " WHERE " + condition,
                    "SELECT count(*) FROM " + table + " a JOIN " + table + " b ON a.name = b.name WHERE a." + condition)) {
                List<List<Object>> expected = presto.execute(sql).rows();
                for (int i = 0; i < 2; i++) {
                    assertThat(client().execute(sql).rows()).as(sql).isEqualTo(expected);
                }
            }
        }
    }

    private static byte[] replacedLast(byte[] bytes, byte[] from, byte[] to)
    {
        byte[] replaced = bytes.clone();
        int place = lastIndexOf(replaced, from, replaced.length);
        assertThat(place).as("place of the maximum").isPositive();
        System.arraycopy(to, 0, replaced, place, to.length);
        return replaced;
    }

    private static byte[] replacedAll(byte[] bytes, byte[] from, byte[] to)
    {
        byte[] replaced = replacedLast(bytes, from, to);
        for (int place = lastIndexOf(replaced, from, replaced.length); place >= 0; place = lastIndexOf(replaced, from, place)) {
            System.arraycopy(to, 0, replaced, place, to.length);
        }
        return replaced;
    }

    private static int lastIndexOf(byte[] bytes, byte[] part, int before)
    {
        int place = before - part.length;
        while (place >= 0 && !Arrays.equals(bytes, place, place + part.length, part, 0, part.length)) {
            place--;
        }
        return place;
    }
}
