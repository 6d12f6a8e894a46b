// SPDX-License-Identifier: Apache-2.0
package io.eyrie.spark;

import io.eyrie.testing.client.OutputLines;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.s3.MinioServer;
import io.eyrie.testing.s3.S3Server;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Spark changes tables of a metastore whose directories Presto seals at once. Presto's next query sees each change that Spark reports to the metastore. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparkMetastoreIT
{
    private static final String ROWS = "SELECT count(*), sum(a), count(DISTINCT p) FROM ";

    private HiveMetastoreServer metastore;
    private Lake lake;
    private PrestoClient presto;
    private SparkSession spark;

    @BeforeAll
    void start(@TempDir Path directory)
    {
        Checkout checkout = Checkout.find();
        S3Server s3 = MinioServer.start();
        Map<String, String> settings = new TreeMap<>(HiveMetastoreServer.s3(s3));
        settings.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        metastore = HiveMetastoreServer.start(checkout.root().resolve("testing/hive-metastore/target/lib"), Path.of("target/spark-metastore.log"),
                settings);
        LakeBuilder builder = Lake.builder(checkout).name("spark").server(() -> s3).workers(1);
        Map.of("hive.metastore", "thrift",
                "hive.metastore.uri", metastore.uri().toString(),
                "hive.metastore.catalog.dir", "",
                "hive.metastore-cache-ttl", "1d",
                "hive.metastore-cache-scope", "ALL",
                "hive.file-status-cache-tables", "*",
                "hive.file-status-cache-expire-time", "24h",
                "cache.open-partition-age", "0s",
                "fragment-result-cache.enabled", "true").forEach(builder::property);
        lake = builder.start();
        presto = lake.client("shared");
        presto.execute("CREATE SCHEMA shared WITH (location = 's3a://" + Lake.BUCKET + "/shared/')");
        SparkSession.Builder session = SparkSession.builder()
                .master("local[2]")
                .appName("eyrie-metastore")
                .enableHiveSupport()
                .config("spark.ui.enabled", false)
                .config("spark.local.dir", directory.toString())
                .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
                .config("spark.testing.memory", 512L << 20)
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.sql.hive.convertMetastoreParquet", false)
                .config("spark.hadoop.hive.metastore.uris", metastore.uri().toString())
                .config("spark.hadoop.hive.exec.dynamic.partition.mode", "nonstrict")
                .config("spark.hadoop.hive.exec.scratchdir", directory.resolve("scratch").toString())
                .config("spark.hadoop.fs.s3a.impl", "org.apache.hadoop.fs.s3a.S3AFileSystem");
        Map.of("fs.s3a.endpoint", s3.endpoint().toString(),
                "fs.s3a.endpoint.region", "us-east-1",
                "fs.s3a.path.style.access", "true",
                "fs.s3a.access.key", s3.accessKey(),
                "fs.s3a.secret.key", s3.secretKey()).forEach((name, value) -> session.config("spark.hadoop." + name, value));
        spark = session.getOrCreate();
    }

    @AfterAll
    @SuppressWarnings("try") // closes in reverse order, even if one of them fails
    void stop()
            throws IOException
    {
        try (HiveMetastoreServer first = requireNonNull(metastore); Lake second = requireNonNull(lake); SparkSession third = requireNonNull(spark)) {
            return;
        }
    }

    @Test
    void nextQuerySeesEachChangeThatSparkMakesAsHiveDoes()
    {
        spark.sql("CREATE TABLE shared.t (a bigint) PARTITIONED BY (p string) STORED AS PARQUET LOCATION '" + location("t") + "'");
        for (String change : List.of(
                "INSERT INTO shared.t PARTITION (p) VALUES (1, 'one'), (2, 'two'), (3, 'three')",
                "INSERT INTO shared.t PARTITION (p) VALUES (10, 'one'), (4, 'four')",
                "INSERT OVERWRITE TABLE shared.t PARTITION (p = 'two') VALUES (20), (21)",
                "ALTER TABLE shared.t DROP PARTITION (p = 'three')",
                "ALTER TABLE shared.t PARTITION (p = 'four') RENAME TO PARTITION (p = 'five')",
                "INSERT OVERWRITE TABLE shared.t PARTITION (p) VALUES (7, 'one'), (8, 'six')",
                "ALTER TABLE shared.t ADD COLUMNS (b bigint)",
                "INSERT INTO shared.t PARTITION (p = 'seven') VALUES (9, 90)")) {
            spark.sql(change);
            assertNextQueriesEqualTheTruth("t", change);
        }
        assertThat(presto.execute("SELECT b FROM t WHERE p = 'seven'").onlyValue()).isEqualTo(90L);
        LinkCounts before = lake.quietCounts();
        assertNextQueriesEqualTheTruth("t", "nothing");
        assertThat(lake.quietCounts().minus(before).of(RequestKind.LIST).requests()).as("lists were kept").isZero();
        spark.sql("DROP TABLE shared.t");
        assertThat(presto.execute("SHOW TABLES LIKE 't'").rows()).isEmpty();
    }

    @Test
    void writesOfWhichSparkTellsTheMetastoreNothing()
    {
        spark.sql("CREATE TABLE shared.own (a bigint, p string) USING parquet PARTITIONED BY (p) LOCATION '" + location("own") + "'");
        for (String change : List.of(
                "INSERT INTO shared.own VALUES (1, 'one'), (2, 'two')",
                "INSERT INTO shared.own VALUES (3, 'three')",
                "ALTER TABLE shared.own DROP PARTITION (p = 'two')")) {
            spark.sql(change);
            assertNextQueriesEqualTheTruth("own", change);
        }
        var before = presto.execute(ROWS + "own").rows();
        spark.sql("INSERT INTO shared.own VALUES (10, 'one')");
        assertThat(presto.execute(ROWS + "own").rows()).as("a sealed directory").isEqualTo(before);
        presto.execute("CALL system.invalidate_directory_list_cache()");
        assertNextQueriesEqualTheTruth("own", "the insert into a partition that was there");
        for (String change : List.of(
                "ALTER TABLE shared.own SET TBLPROPERTIES ('eyrie.open' = 'true')",
                "INSERT INTO shared.own VALUES (20, 'one')",
                "INSERT OVERWRITE TABLE shared.own PARTITION (p = 'one') VALUES (30)")) {
            spark.sql(change);
            assertNextQueriesEqualTheTruth("own", change);
        }
    }

    /* eyrie warm runs as a user runs it, while the metastore restarts and Spark adds partitions. */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void partitionOfSparkIsWarmBeforeTheFirstQueryReadsIt(@TempDir Path directory)
            throws Exception
    {
        Files.writeString(directory.resolve("rules.json"),
                "{\"every\": \"1s\", \"daily_bytes\": \"1GB\", \"rules\": [{\"schema\": \"shared\", \"table\": \"arriving\", \"newest\": 2}]}");
        spark.sql("CREATE TABLE shared.arriving (a bigint) PARTITIONED BY (p string) STORED AS PARQUET LOCATION '" + location("arriving") + "'");
        spark.sql("INSERT INTO shared.arriving PARTITION (p = 'a') VALUES (1), (2)");
        assertThat(onceWarm(directory, "--dry-run")).containsPattern("shared.arriving p=a: would warm data, at most 1GB");

        Process warm = warm(directory);
        try {
            BufferedReader lines = warm.inputReader();
            OutputLines.await(lines, "shared.arriving p=a: warmed ");
            metastore.stop();
            OutputLines.await(lines, "shared.arriving: failed: ");
            metastore.restart(Map.of());
            spark.sql("INSERT INTO shared.arriving PARTITION (p = 'b') SELECT id FROM range(1000)");
            OutputLines.await(lines, "shared.arriving p=b: warmed ");
        }
        finally {
            warm.destroy();
            warm.waitFor();
        }
        LinkCounts before = lake.quietCounts();
        assertThat(presto.execute("SELECT count(*), sum(a) FROM arriving WHERE p = 'b'").rows()).containsExactly(List.of(1000L, 499_500L));
        assertThat(lake.quietCounts().minus(before).requests()).as("requests to S3 of the first query").isZero();

        assertThat(onceWarm(directory, "--once")).as("it continues where it stopped").isEmpty();
        presto.execute("CALL system.deny_in_cache('shared', 'arriving')");
        spark.sql("INSERT INTO shared.arriving PARTITION (p = 'c') VALUES (3)");
        assertThat(onceWarm(directory, "--once")).contains("shared.arriving p=c: warmed 0 splits, ", "; 1 split not cached: denied_by_rule");
        presto.execute("CALL system.forget_cache_rule('shared', 'arriving')");
    }

    private String onceWarm(Path directory, String option)
            throws IOException,
            InterruptedException
    {
        Process process = warm(directory, option);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code of eyrie warm, which prints: %s", output).isZero();
        return output;
    }

    private Process warm(Path directory, String... more)
            throws IOException
    {
        Path jars = Checkout.find().root().resolve("cli/target");
        Path jar;
        try (Stream<Path> files = Files.list(jars)) {
            jar = files.filter(file -> file.getFileName().toString().matches("eyrie-cli-.*-runnable\\.jar")).findFirst().orElseThrow(
                    () -> new IllegalStateException("No runnable jar in " + jars + ": build it with ./mvnw package -pl cli -am"));
        }
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar.toString(),
                "warm",
                "--server", lake.presto().coordinatorUri().toString(), "--catalog", Lake.CATALOG, "--rules", directory.resolve("rules.json")
                        .toString(),
                "--state", directory.resolve("state.json").toString()));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // of which each JVM would print a line
        builder.environment().remove("JDK_JAVA_OPTIONS");
        return builder.start();
    }

    /*
     * Presto reads no timestamp statistics from ORC. Eyrie uses them to find files with all rows after a moment. If the writer's zone ever changes
     * its clock, they are exact only to a day.
     */
    @Test
    void windowsUpToNowOverOrcOfSpark()
    {
        TimeZone zone = TimeZone.getDefault();
        try {
            assertThat(windowOverOrcOfSpark("utc", "UTC")).as("hits, misses, pruned").containsExactly(3L, 1L, 4L);
            assertThat(windowOverOrcOfSpark("kathmandu", "GMT+05:45")).as("hits, misses, pruned").containsExactly(3L, 1L, 4L);
            assertThat(windowOverOrcOfSpark("new_york", "America/New_York")).as("hits, misses, pruned").containsExactly(2L, 2L, 4L);
        }
        finally {
            TimeZone.setDefault(zone);
        }
    }

    /* The table has partitions of 48 hours; the window begins in the middle of the fourth. The workers' zone is that of the machine. */
    private List<Long> windowOverOrcOfSpark(String table, String writersZone)
    {
        TimeZone.setDefault(TimeZone.getTimeZone(writersZone));
        spark.conf().set("spark.sql.session.timeZone", writersZone);
        spark.sql("CREATE TABLE shared.window_" + table + " (v bigint, t timestamp) PARTITIONED BY (p int) STORED AS ORC LOCATION '" + location(
                "window_"
                        + table) + "'");
        spark.sql("INSERT INTO shared.window_" + table + " PARTITION (p) SELECT /*+ COALESCE(1) */ id,"
                + " timestamp_micros(unix_micros(current_timestamp()) - p * 172800000000 - (id + 1) * 1700000000), p"
                + " FROM range(100) CROSS JOIN (SELECT explode(sequence(0, 7)) p)");
        String sql = "SELECT count(*), sum(v), max(p) FROM window_" + table + " WHERE t > now() - INTERVAL '7' DAY";
        QueryResult plain = presto.withSession("eyrie.fragment_result_cache_enabled", "false").execute(sql);
        Rows.assertSameRows(presto.execute(sql), plain);
        QueryResult second = presto.execute(sql);
        Rows.assertSameRows(second, plain);
        QueryStatistics statistics = presto.statistics(second);
        return Stream.of("eyrieFragmentHits", "eyrieFragmentMisses", "eyrieFragmentPruned").map(name -> statistics.metric(name).sum()).toList();
    }

    /* Queries twice: the second query uses the lists that the first one cached. */
    private void assertNextQueriesEqualTheTruth(String table, String change)
    {
        spark.sql("REFRESH TABLE shared." + table);
        Row truth = spark.sql(ROWS + "shared." + table).collectAsList().get(0);
        for (int i = 0; i < 2; i++) {
            assertThat(presto.execute(ROWS + table).rows()).as("after %s", change)
                    .containsExactly(List.of(truth.getLong(0), truth.getLong(1), truth.getLong(2)));
        }
    }

    private static String location(String table)
    {
        return "s3a://" + Lake.BUCKET + "/shared/" + table;
    }
}
