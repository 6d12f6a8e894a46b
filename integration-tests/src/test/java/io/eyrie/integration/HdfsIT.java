// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.hdfs.HdfsServer;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.presto.NodeMBeans;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests files on HDFS, which has no entity tags, asks its name node at each open, and has permissions per user. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HdfsIT
{
    private static final String CATALOG = "hdfs";
    private static final String PERSONAL = "personal";
    private static final String RIGHTS_COUNT = "5s";
    // includes the delay of a loaded machine
    private static final long REVOKED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final String SCHEMA = "files";
    private static final String STATISTICS = "io.eyrie:type=FileStatistics,name=" + PERSONAL;
    private static final String HANDLES = "io.eyrie:type=FileHandles,name=" + CATALOG;
    private static final int LEAST_SPLITS = 20;
    private static final int MOST_READERS = 8;
    // files without tags are not cached until they are two seconds old
    private static final long TOO_YOUNG_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int CHARACTERS = 1023;
    // four pages
    private static final int LINES = 4096;
    private static final int MOST_CHECKED = 50;
    private static final String CHANGED = "was overwritten after the query listed it";
    private static final String SUM = "SELECT count(*), sum(orderkey), max(comment) FROM lines";

    private HdfsServer hdfs;
    private Lake lake;

    @BeforeAll
    void start()
    {
        Checkout checkout = Checkout.find();
        hdfs = HdfsServer.start(checkout.hdfsLib(), Path.of("target", "hdfs.log"));
        try {
            lake = Lake.builder(checkout)
                    .name("hdfs")
                    .workers(0)
                    .config("task.max-worker-threads", Integer.toString(MOST_READERS))
                    .catalog(CATALOG, Map.of("hive.max-split-size", "64kB", "hive.max-initial-split-size", "64kB"))
                    .catalog(PERSONAL, Map.of(
                            "hive.hdfs.impersonation.enabled", "true",
                            "hive.file-status-cache-tables", "*",
                            "hive.file-status-cache-expire-time", RIGHTS_COUNT,
                            "cache.open-partition-age", "1ms",
                            "hive.metastore-cache-ttl", "1h",
                            "fragment-result-cache.enabled", "true",
                            "cache.file-statistics", "on",
                            "cache.access-check-interval", RIGHTS_COUNT))
                    .start();
        }
        catch (RuntimeException | Error e) {
            hdfs.close();
            throw e;
        }
    }

    @AfterAll
    void stop()
    {
        try {
            lake.close();
        }
        finally {
            hdfs.close();
        }
    }

    @Test
    void splitsAskForTheBlocksOfAFileThatIsOpen()
    {
        PrestoClient client = lake.presto().client(CATALOG, SCHEMA);
        client.execute("CREATE SCHEMA " + SCHEMA);
        hdfs.createDirectory("/lines");
        client.execute("CREATE TABLE lines (orderkey bigint, comment varchar) WITH (format = 'TEXTFILE', external_location = '" + hdfs.uri()
                + "/lines')");
        // compressed files are not split
        client.withSession("task_writer_count", "1").withSession(CATALOG + ".compression_codec", "NONE").execute(
                "INSERT INTO lines SELECT l_orderkey, l_comment FROM tpch.tiny.lineitem");
        QueryResult expected = lake.presto().client("tpch", "tiny").execute("SELECT count(*), sum(l_orderkey), max(l_comment) FROM lineitem");

        long old = System.nanoTime() + TOO_YOUNG_NANOS;

        PrestoClient uncached = client.withSession(CATALOG + ".cache_enabled", "false");
        long opens;
        do {
            long before = hdfs.blockLocationRequests();
            assertThat(uncached.execute(SUM).rows()).isEqualTo(expected.rows());
            opens = hdfs.blockLocationRequests() - before;
        }
        while (System.nanoTime() < old);
        assertThat(opens).as("opens without the cache").isGreaterThanOrEqualTo(LEAST_SPLITS);

        long before = hdfs.blockLocationRequests();
        assertThat(client.execute(SUM).rows()).isEqualTo(expected.rows());
        long cold = hdfs.blockLocationRequests();
        NodeMBeans node = lake.presto().coordinatorMBeans();
        double opened = node.number(HANDLES, "Opened");
        assertThat((double) (cold - before)).as("opens").isEqualTo(opened).isBetween(1.0, opens / 2.0);
        assertThat(node.number(HANDLES, "Reused")).isGreaterThanOrEqualTo(LEAST_SPLITS - opened);
        assertThat(node.number(HANDLES, "Failed")).isZero();

        assertThat(client.execute(SUM).rows()).isEqualTo(expected.rows());
        assertThat(hdfs.blockLocationRequests()).as("opens of the warm run").isEqualTo(cold);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET", "TEXTFILE"})
    void whatOneUserWarmedReachesNobodyWhomHdfsRefuses(String format)
    {
        String schema = "rights_" + format.toLowerCase(Locale.ROOT);
        PrestoClient alice = lake.presto().client(PERSONAL, schema).withUser("alice");
        PrestoClient bob = alice.withUser("bob");
        String folder = "/" + schema;
        hdfs.createDirectory(folder);
        hdfs.setOwner(folder, "alice");
        // where Presto writes temporary files
        hdfs.setPermission("/tmp", "777");
        alice.execute("CREATE SCHEMA " + schema);
        alice.execute("CREATE TABLE secret (k bigint, v varchar) WITH (format = '" + format + "', external_location = '" + hdfs.uri() + folder
                + "')");
        alice.execute("INSERT INTO secret SELECT l_orderkey, l_comment FROM tpch.tiny.lineitem");
        paths(alice).forEach(path -> hdfs.setPermission(path, "600"));
        List<String> queries = List.of("SELECT * FROM secret WHERE k = 1", "SELECT count(*), max(v) FROM secret WHERE k > 10",
                "SELECT count(*) FROM secret",
                // the statistics of the footer exclude them
                "SELECT count(*), max(v) FROM secret WHERE k < 0",
                "SELECT count(*) FROM secret WHERE k > 100000",
                "SELECT v FROM secret WHERE k IS NULL");

        long old = System.nanoTime() + TOO_YOUNG_NANOS;
        do {
            queries.forEach(alice::execute);
        }
        while (System.nanoTime() < old);
        List<List<List<Object>>> rows = queries.stream().map(sql -> alice.execute(sql).rows()).toList();
        assertThat(served(alice, "data")).isPositive();
        assertThat(served(alice, "fragment")).isPositive();

        refused(bob, queries);
        hdfs.setPermission(folder, "700");
        refused(bob, queries);
        // and concurrently
        List<CompletableFuture<Void>> refusals = IntStream.range(0, 3).mapToObj(i -> CompletableFuture.runAsync(() -> refused(bob, queries)))
                .toList();
        for (int i = 0; i < 3; i++) {
            assertThat(queries.stream().map(sql -> alice.execute(sql).rows())).as("of a user who may, while another is refused").isEqualTo(rows);
        }
        refusals.forEach(CompletableFuture::join);

        hdfs.setPermission(folder, "755");
        paths(alice).forEach(path -> hdfs.setPermission(path, "644"));
        for (int i = 0; i < 3; i++) {
            assertThat(queries.stream().map(sql -> bob.execute(sql).rows())).as("of a user who was let in").isEqualTo(rows);
        }
        paths(alice).forEach(path -> hdfs.setPermission(path, "600"));
        long late = System.nanoTime() + REVOKED_WITHIN_NANOS;
        boolean stillThere;
        do {
            stillThere = queries.stream().map(sql -> reads(bob, sql)).reduce(false, Boolean::logicalOr);
        }
        while (stillThere && System.nanoTime() < late);
        assertThat(stillThere).as("whether a revoked right counts after " + RIGHTS_COUNT).isFalse();
        refused(bob, queries);
        assertThat(queries.stream().map(sql -> alice.execute(sql).rows())).isEqualTo(rows);
        noFactsOfFiles();
    }

    private void noFactsOfFiles()
    {
        NodeMBeans node = lake.presto().coordinatorMBeans();
        assertThat(node.number(STATISTICS, "Lookups")).as("scans that statistics of files could exclude files from").isPositive();
        assertThat(node.number(STATISTICS, "FilesRead") + node.number(STATISTICS, "ReadFailures") + node.number(STATISTICS, "Hits")).as(
                "statistics of files, on which users have rights of their own").isZero();
    }

    /* Each worker would ask for the rights to one file after the other, while all splits of the scan wait. */
    @Test
    void manyFilesWithRightsOfUsersAreNotJoinedInOneScan()
    {
        PrestoClient alice = lake.presto().client(PERSONAL, "dimensions").withUser("alice").withSession(PERSONAL
                + ".fragment_result_cache_joined_admission", "ALWAYS");
        alice.execute("CREATE SCHEMA dimensions");
        textTable(alice, "fact", 1, "1\n".repeat(LINES));
        textTable(alice, "few", 3, "1\n");
        textTable(alice, "many", MOST_CHECKED + 1, "1\n");
        QueryResult few = alice.execute("SELECT count(*) FROM fact JOIN few ON fact.k = few.k");
        assertThat(few.onlyValue()).isEqualTo(3L * LINES);
        assertThat(sum(alice, few, "eyrieFragmentJoins")).isEqualTo(1);
        QueryResult many = alice.execute("SELECT count(*) FROM fact JOIN many ON fact.k = many.k");
        assertThat(many.onlyValue()).isEqualTo((MOST_CHECKED + 1L) * LINES);
        assertThat(sum(alice, many, "eyrieFragmentJoins")).isZero();
        assertThat(sum(alice, many, "eyrieFragmentJoinsRefusedTooLarge")).isEqualTo(1);
    }

    private static long sum(PrestoClient client, QueryResult result, String metric)
    {
        return client.statistics(result).metric(metric).sum();
    }

    private void textTable(PrestoClient client, String name, int files, String content)
    {
        String folder = "/dimensions/" + name;
        hdfs.createDirectory(folder);
        for (int i = 0; i < files; i++) {
            hdfs.write(folder + "/file" + i, content.getBytes(US_ASCII));
        }
        client.execute("CREATE TABLE " + name + " (k bigint) WITH (format = 'TEXTFILE', external_location = '" + hdfs.uri() + folder + "')");
    }

    /* The list of files is up to five seconds old, and HDFS deletes the old file's blocks at any time. */
    @Test
    void fileOverwrittenAfterItWasListedIsNeverMixedWithItsCachedPages()
    {
        String schema = "overwritten";
        PrestoClient alice = lake.presto().client(PERSONAL, schema).withUser("alice");
        String folder = "/" + schema;
        hdfs.createDirectory(folder);
        hdfs.write(folder + "/file", ("a".repeat(CHARACTERS) + "\n").repeat(LINES).getBytes(US_ASCII));
        alice.execute("CREATE SCHEMA " + schema);
        alice.execute("CREATE TABLE lines (v varchar) WITH (format = 'TEXTFILE', external_location = '" + hdfs.uri() + folder + "')");
        double hits = served(alice, "data");
        while (served(alice, "data") == hits) {
            assertThat(alice.execute("SELECT substr(v, 1, 1) FROM lines LIMIT 1").strings(0)).containsExactly("a");
        }

        hdfs.write(folder + "/file", ("b".repeat(CHARACTERS) + "\n").repeat(LINES).getBytes(US_ASCII));
        long late = System.nanoTime() + REVOKED_WITHIN_NANOS;
        String seen;
        do {
            seen = lines(alice);
            assertThat(seen).isIn("[[a, " + LINES + "]]", "[[b, " + LINES + "]]", CHANGED);
        }
        while (!seen.contains("b") && System.nanoTime() < late);
        assertThat(seen).as("when the list is read anew").contains("b");
    }

    private static String lines(PrestoClient client)
    {
        try {
            return client.execute("SELECT substr(v, 1, 1), count(*) FROM lines GROUP BY 1").rows().toString();
        }
        catch (QueryFailedException e) {
            assertThat(e).hasMessageContaining(CHANGED);
            return CHANGED;
        }
    }

    private static List<String> paths(PrestoClient client)
    {
        return client.execute("SELECT DISTINCT \"$path\" FROM secret").strings(0).stream().map(path -> URI.create(path).getPath()).toList();
    }

    private static double served(PrestoClient client, String layer)
    {
        return ((Number) client.execute("SELECT sum(hits) FROM cache.layers WHERE layer = '" + layer + "'").rows().get(0).get(0)).doubleValue();
    }

    private static void refused(PrestoClient client, List<String> queries)
    {
        for (String sql : queries) {
            assertThatThrownBy(() -> client.execute(sql)).as(sql).isInstanceOf(QueryFailedException.class).hasMessageContaining("Permission denied");
        }
    }

    private static boolean reads(PrestoClient client, String sql)
    {
        try {
            client.execute(sql);
            return true;
        }
        catch (QueryFailedException e) {
            assertThat(e).hasMessageContaining("Permission denied");
            return false;
        }
    }
}
