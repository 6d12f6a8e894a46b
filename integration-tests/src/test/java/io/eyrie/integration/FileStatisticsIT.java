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

import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        LakeBuilder builder = Lake.builder(Checkout.find())
                .name("file-statistics")
                .workers(1)
                .property("cache.file-statistics", "on")
                .property("fragment-result-cache.enabled", "true")
                .property("hive.metastore-cache-ttl", "1d")
                .property("hive.allow-drop-table", "true")
                .catalog(OFF, Map.of("fragment-result-cache.enabled", "true"))
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
        // two threads may each begin a file before the last request of the budget is known
        assertThat(counter(BUDGETED, "ReadRequests")).isBetween(3.0, 8.0);
        assertThat(client.statistics(over).metric(DROPPED).sum()).isBetween(1L, 6L);
        assertThat(counter(OFF, "ReadRequests") + counter(OFF, "Lookups")).isZero();
        assertThat(client.execute("SELECT element_at(misses_by_reason, 'over_daily_budget') > 0, loads > 0 AND load_bytes > 0"
                + " FROM cache.layers WHERE layer = 'file_statistics' AND lookups > 0").rows()).containsExactly(List.of(true, true));
        assertThat(client.execute("SELECT count(*) FROM cache.savings WHERE table_name = 'priced' AND saved_get_requests < 0 AND saved_bytes < 0")
                .onlyValue()).as("nodes that only spent").isEqualTo(1L);
        lake.presto().client(OFF, SCHEMA).execute("SELECT 1");
        LinkCounts before = lake.quietCounts();
        lake.presto().client(OFF, SCHEMA).execute(sql);
        assertThat(lake.quietCounts().minus(before).of(RequestKind.GET_DATA).requests()).as("requests with statistics off").isZero();
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
}
