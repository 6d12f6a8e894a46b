// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkFault;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.s3.S3Object;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Joined scans on two workers of 1 GB: answers of Presto's own plans, what a change computes again, and faults, after which nothing partial is served. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class JoinedClusterIT
{
    private static final String SCHEMA = "cluster_joins";
    private static final String TPCH = "cluster_tpch";
    private static final boolean LONG = Boolean.getBoolean("eyrie.stress");
    private static final String JOINS = "eyrieFragmentJoins";
    private static final String HITS = "eyrieFragmentHits";
    private static final String MISSES = "eyrieFragmentMisses";
    private static final int FILES = 8;
    private static final int AT_A_TIME = 16;
    private static final int INTERNAL_ERROR = 65536;

    private Lake lake;

    @BeforeAll
    void createTables(@TempDir Path directory)
            throws IOException
    {
        for (String node : List.of("coordinator", "worker-0", "worker-1")) {
            Files.createDirectories(directory.resolve(node));
            Files.createDirectories(directory.resolve("cache.enabled").resolve(node));
            Files.createDirectories(directory.resolve("fragment-result-cache.enabled").resolve(node));
        }
        lake = Lake.builder(Checkout.find())
                .name("joined-cluster")
                .workers(2)
                .property("fragment-result-cache.enabled", "true")
                .property("fragment-result-cache.joined.admission", "always")
                .property("fragment-result-cache.joined.max-build-size", "8MB")
                .property("fragment-result-cache.joined.listing-time", "60s")
                .catalog("full", Map.of(
                        "cache.base-directory", directory + "/${node}",
                        "cache.min-free-space", "1000TB",
                        "fragment-result-cache.enabled", "true",
                        "fragment-result-cache.joined.admission", "always"))
                .catalog("uncached", without("worker-1:cache.enabled", directory))
                .catalog("without_results", without("worker-1:fragment-result-cache.enabled", directory))
                .plugin("hive-stock", Checkout.find().stockPlugin())
                .catalog(BesideStock.STOCK, Map.of(
                        "connector.name", "hive-hadoop2", "cache.enabled", "", "cache.base-directory", "", "cache.max-cache-size", ""))
                .config("query.remote-task.max-error-duration", "10s")
                .config("exchange.max-error-duration", "10s")
                .start();
        writer().execute("CREATE SCHEMA " + SCHEMA);
        // values that do not compress well, so that the fact is the largest table
        lake.createTableOfCopies(SCHEMA, "f", "k bigint, v bigint", "SELECT x % 997, x * x % 10007 FROM UNNEST(sequence(1, 10000)) AS t(x)"
                + " CROSS JOIN UNNEST(sequence(1, 2)) AS u(y)", FILES);
        lake.createTpchTables(TPCH, TpchQueries.SMALL_SCALE, "ORC", false, (table, rows) -> {});
    }

    private static Map<String, String> without(String property, Path directory)
    {
        return Map.of(
                property, "false",
                "cache.base-directory", directory + "/" + property.substring(property.indexOf(':') + 1) + "/${node}",
                "fragment-result-cache.enabled", "true",
                "fragment-result-cache.joined.admission", "always",
                "fragment-result-cache.joined.listing-time", "60s");
    }

    @AfterEach
    void noRequestIsHeld()
    {
        lake.link().clearFaults();
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    @Order(1)
    void tpchHasTheAnswersOfPresto()
    {
        // joins with one, two and seven dimensions, an outer join and semi-joins
        int[] queries = LONG ? IntStream.rangeClosed(1, TpchQueries.COUNT).toArray() : new int[] {3, 8, 13, 14, 16};
        for (int round = 1; round <= (LONG ? 3 : 2); round++) {
            for (int query : queries) {
                QueryResult joined = client(TPCH).execute(TpchQueries.sql(query));
                Rows.assertSameRows(joined, stock(TPCH).execute(TpchQueries.sql(query)));
                if (!LONG) {
                    assertThat(sum(joined, JOINS)).as("joins of %s", TpchQueries.name(query)).isPositive();
                }
                if (round > 1 && sum(joined, JOINS) > 0) {
                    assertThat(sum(joined, HITS)).as("splits of %s served in round %s", TpchQueries.name(query), round).isPositive();
                }
            }
        }
    }

    @Test
    @Order(1)
    void sixteenQueriesThatBuildAtATimeFailAsRarelyAsThoseOfPresto()
    {
        List<String> queries = IntStream.range(0, AT_A_TIME)
                .mapToObj(i -> "SELECT o_orderpriority, count(*), max(o_comment), max(c_comment) FROM lineitem JOIN orders ON l_orderkey = o_orderkey"
                        + " JOIN customer ON o_custkey = c_custkey WHERE l_quantity > " + i + " GROUP BY 1")
                .toList();
        List<QueryResult> expected = atATime(stock(TPCH), queries);
        List<QueryResult> computed = atATime(client(TPCH), queries);
        long streamed = 0;
        for (int i = 0; i < AT_A_TIME; i++) {
            Rows.assertSameRows(computed.get(i), expected.get(i));
            assertThat(sum(computed.get(i), JOINS)).isEqualTo(1);
            streamed += sum(computed.get(i), "eyrieFragmentJoinsStreamed");
        }
        assertThat(streamed).as("build sides that did not fit beside those of other queries").isPositive();
        List<QueryResult> served = atATime(client(TPCH), queries);
        for (int i = 0; i < AT_A_TIME; i++) {
            Rows.assertSameRows(served.get(i), expected.get(i));
            assertThat(sum(served.get(i), MISSES)).isZero();
        }
        assertBuildSidesAreBounded();
    }

    @Test
    @Order(1)
    void splitsThatStreamABuildSideWaitForNoReader()
    {
        // 30 MB of rows in a small file, and a leaf, whose result is not recorded while it is streamed
        lake.createTable(SCHEMA, "wide", "k bigint, s varchar", "format = 'ORC'");
        writer().execute("INSERT INTO wide SELECT x * 300 + y, cast(x * 300 + y AS varchar) || rpad('', 1000, 'x')"
                + " FROM UNNEST(sequence(0, 99)) AS a(x) CROSS JOIN UNNEST(sequence(0, 299)) AS b(y)");
        String sql = "SELECT count(*), sum(f.v), max(w.s) FROM f JOIN (SELECT k, s FROM wide WHERE k % 3 < 2) w ON f.k = w.k";
        double before = waits();
        QueryResult computed = client(SCHEMA).execute(sql);
        assertThat(waits()).as("splits that waited for a result").isEqualTo(before);
        assertThat(sum(computed, "eyrieFragmentJoinsStreamed")).isPositive();
        Rows.assertSameRows(computed, stock(SCHEMA).execute(sql));
        assertServed(sql);
    }

    @Test
    @Order(1)
    void bucketsOfTheFactAreServed()
    {
        dimension("of_buckets", "bucket");
        lake.createTable(SCHEMA, "buckets", "k bigint, v bigint, p varchar",
                "format = 'ORC', partitioned_by = ARRAY['p'], bucketed_by = ARRAY['k'], bucket_count = " + FILES);
        writer().execute("INSERT INTO buckets SELECT k, v, 'x' FROM f");
        assertServed(sql("buckets", "of_buckets"), 0, FILES);
        QueryResult served = assertServed(sql("buckets", "of_buckets"), FILES, 0);
        assertThat(sum(served, "eyriePlacementOwnSplits") + sum(served, "eyriePlacementOverflowSplits")).as("placed splits").isEqualTo(FILES);
    }

    @ParameterizedTest
    @Order(1)
    @ValueSource(strings = {"uncached", "without_results"})
    void aWorkerOfAnotherConfigurationComputesWhatTheCoordinatorPlanned(String catalog)
    {
        dimension("unlike_" + catalog, "unlike");
        List<String> queries = List.of(
                "SELECT k FROM f WHERE k % 10 = 3",
                "SELECT k, count(v), sum(v), max(v + k) FROM f WHERE v > 100 GROUP BY k",
                "SELECT v, k FROM f WHERE k % 7 = 1 ORDER BY v DESC, k LIMIT 5",
                sql("unlike_" + catalog));
        for (String sql : queries) {
            QueryResult expected = stock(SCHEMA).execute(sql);
            for (int round = 1; round <= 2; round++) {
                QueryResult result = client(SCHEMA).withSchema(catalog, SCHEMA).execute(sql);
                Rows.assertSameRows(result, expected);
                assertThat(sum(result, MISSES)).as("splits of %s computed in round %s", sql, round).isPositive();
                assertThat(sum(result, HITS)).as("splits of %s served in round %s", sql, round).isEqualTo(round == 1
                        ? 0
                        : FILES - sum(result, MISSES));
            }
        }
    }

    private double waits()
    {
        return IntStream.range(0, 2).mapToDouble(worker -> fragments(worker, "Waits")).sum();
    }

    private double fragments(int worker, String attribute)
    {
        return lake.presto().workerMBeans(worker).number("io.eyrie:type=FragmentCache,name=" + Lake.CATALOG, attribute);
    }

    @Test
    @Order(1)
    void tablesThatAreTooLargeAreListedByThePlannerOnce()
    {
        for (String table : List.of("large", "larger")) {
            long bytes = lake.createTableOfCopies(SCHEMA, table, "k bigint, v bigint",
                    "SELECT x, x * x * 7919 % 1000003 FROM UNNEST(sequence(1, 10000)) AS t(x)"
                            + " CROSS JOIN UNNEST(sequence(1, 10)) AS u(y)", 40);
            assertThat(bytes).isGreaterThan(2 << 20);
        }
        String sql = "SELECT count(*), max(a.v) FROM large a JOIN larger b ON a.k = b.k AND a.v > 1000002";
        List<Long> lists = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            LinkCounts before = lake.quietCounts();
            QueryResult result = client(SCHEMA).execute(sql);
            lists.add(lake.quietCounts().minus(before).of(RequestKind.LIST).requests());
            assertThat(sum(result, "eyrieFragmentJoinsRefusedLargeTables")).isEqualTo(1);
        }
        assertThat(lists.get(1)).as("requests of all runs: %s", lists).isLessThan(lists.get(0)).isEqualTo(lists.get(2));
    }

    @Test
    @Order(2)
    void aDimensionIsOverwrittenBeforeItIsRead()
    {
        QueryResult old = dimension("early", "old");
        dimension("early_new", "new");
        CompletableFuture<QueryResult> running;
        try (HeldRequests held = hold("/early/")) {
            running = later(client(SCHEMA), sql("early"));
            held.await();
            overwrite(file("early"), file("early_new"));
        }
        assertRightOrPrestosError(running, old, stock(SCHEMA).execute(sql("early")));
        assertRightAndServed(sql("early"));
    }

    @Test
    @Order(2)
    void aDimensionIsOverwrittenAfterItIsRead()
    {
        dimension("late_new", "new");
        dimension("late", "old");
        // not in the cache yet
        lake.createTableOfCopies(SCHEMA, "unread", "k bigint, v bigint", "SELECT x % 997, x * x % 10007 FROM UNNEST(sequence(1, 10000)) AS t(x)", 4);
        String sql = sql("unread", "late");
        QueryResult before = stock(SCHEMA).execute(sql);
        CompletableFuture<QueryResult> running;
        try (HeldRequests held = hold("/unread/")) {
            running = later(client(SCHEMA), sql);
            held.await();
            overwrite(file("late"), file("late_new"));
        }
        QueryResult after = stock(SCHEMA).execute(sql);
        assertThat(after.rows()).isNotEqualTo(before.rows());
        assertRightOrPrestosError(running, before, after);
        assertServed(sql, 0, 4);
        assertServed(sql, 4, 0);
    }

    /* The engine adds up the build sides of all workers. */
    @Test
    @Order(1)
    void buildSidesOfAllWorkersFitTheMemoryOfAQuery()
    {
        String explain = "EXPLAIN " + TpchQueries.sql(3);
        assertThat((String) client(TPCH).execute(explain).onlyValue()).contains("JOIN " + TPCH + ".orders ON");
        LinkCounts before = lake.quietCounts();
        QueryResult refused = client(TPCH).withSession("query_max_total_memory", "1MB").execute(explain);
        assertThat((String) refused.onlyValue()).doesNotContain("JOIN " + TPCH + ".orders ON");
        assertThat(sum(refused, "eyrieFragmentJoinsRefusedOverMemory")).isEqualTo(1);
        assertThat(lake.quietCounts().minus(before).of(RequestKind.LIST).requests()).as("tables listed for a plan that is refused").isZero();
        assertThat((String) client(TPCH).execute(explain).onlyValue()).as("is not remembered for other sessions").contains("JOIN " + TPCH
                + ".orders ON");
    }

    @Test
    @Order(2)
    void theMemoryOfAQueryIsExceeded()
    {
        dimension("heavy", "heavy".repeat(200));
        CompletableFuture<QueryResult> running = later(
                client(SCHEMA).withSession("query_max_total_memory_per_node", "300kB").withSession("query_max_memory_per_node", "300kB"),
                sql("heavy"));
        assertRightOrPrestosError(running, stock(SCHEMA).execute(sql("heavy")));
        assertThat(running).isCompletedExceptionally();
        assertRightAndServed(sql("heavy"));
        assertBuildSidesAreBounded();
    }

    @Test
    @Order(2)
    void aQueryIsCancelledWhileItBuilds()
    {
        dimension("cancelled", "cancelled");
        CompletableFuture<QueryResult> running;
        PrestoClient control = lake.presto().client("system", "runtime");
        try (HeldRequests held = hold("/cancelled/")) {
            running = later(client(SCHEMA), "/* victim */ " + sql("cancelled"));
            held.await();
            List<String> ids = control.execute("SELECT query_id FROM queries WHERE state = 'RUNNING' AND query LIKE '/* victim%'").strings(0);
            assertThat(ids).hasSize(1);
            control.execute("CALL kill_query(query_id => '" + ids.get(0) + "', message => 'test')");
        }
        assertRightOrPrestosError(running);
        assertRightAndServed(sql("cancelled"));
        assertBuildSidesAreBounded();
    }

    @Test
    @Order(2)
    void theStoreFailsWhileADimensionIsRead()
    {
        for (LinkFault fault : List.of(LinkFault.UNAVAILABLE, LinkFault.resetAfter(100), LinkFault.DENIED)) {
            String dimension = "failing_" + fault.kind().name().toLowerCase(Locale.ROOT);
            QueryResult expected = dimension(dimension, "x");
            AtomicInteger faults = new AtomicInteger(3);
            lake.link().injectFaults(request -> request.kind() == RequestKind.GET_DATA && request.target().contains("/" + dimension + "/")
                    && faults.getAndDecrement() > 0 ? Optional.of(fault) : Optional.empty());
            assertRightOrPrestosError(later(client(SCHEMA), sql(dimension)), expected);
            lake.link().clearFaults();
            assertThat(faults.get()).as("requests that failed").isLessThan(3);
            assertRightAndServed(sql(dimension));
        }
    }

    @Test
    @Order(2)
    void theDiskIsFull()
    {
        QueryResult expected = dimension("diskless", "x");
        PrestoClient client = client(SCHEMA).withSchema("full", SCHEMA);
        for (int i = 0; i < 3; i++) {
            QueryResult result = client.execute(sql("diskless"));
            Rows.assertSameRows(result, expected);
            assertThat(sum(result, JOINS)).isEqualTo(1);
        }
    }

    @Test
    @Order(3)
    void aWorkerIsKilledWhileItBuilds()
    {
        QueryResult expected = dimension("killed", "killed");
        CompletableFuture<QueryResult> running;
        try (HeldRequests held = hold("/killed/")) {
            running = later(client(SCHEMA), sql("killed"));
            held.await();
            lake.presto().killWorker(0);
        }
        assertRightOrPrestosError(running, expected);
        lake.presto().awaitRunningNodes();
        Rows.assertSameRows(client(SCHEMA).execute(sql("killed")), expected);
        lake.presto().startWorker(0);
        assertRightAndServed(sql("killed"));
    }

    @Test
    @Order(4)
    void theCacheIsTakenAwayUnderRunningWorkers()
            throws IOException
    {
        QueryResult expected = dimension("taken", "taken");
        Rows.assertSameRows(client(SCHEMA).execute(sql("taken")), expected);
        for (int worker = 0; worker < 2; worker++) {
            Directories.delete(lake.presto().workerDirectory(worker).resolve("data"));
        }
        for (int i = 0; i < 3; i++) {
            Rows.assertSameRows(client(SCHEMA).execute(sql("taken")), expected);
        }
        dimension("more", "more");
        Rows.assertSameRows(client(SCHEMA).execute(sql("more")), stock(SCHEMA).execute(sql("more")));
    }

    /** Holds all requests for objects of a table. */
    private HeldRequests hold(String path)
    {
        return new HeldRequests(lake.link(), request -> request.kind() == RequestKind.GET_DATA && request.target().contains(path));
    }

    /** Creates a small table of names that begin with a text; returns the answer of {@link #sql}. No worker has read it yet. */
    private QueryResult dimension(String name, String text)
    {
        lake.createTable(SCHEMA, name, "k bigint, n varchar", "format = 'ORC'");
        writer().execute("INSERT INTO " + name + " SELECT k, '" + text + "' || cast(k % 10 AS varchar) || rpad('', 3, cast(k AS varchar))"
                + " FROM UNNEST(sequence(0, 900)) AS t(k)");
        return stock(SCHEMA).execute(sql(name));
    }

    private static String sql(String dimension)
    {
        return sql("f", dimension);
    }

    private static String sql(String fact, String dimension)
    {
        return "SELECT d.n, count(*), sum(f.v) FROM " + fact + " f JOIN " + dimension + " d ON f.k = d.k GROUP BY 1";
    }

    private String file(String table)
    {
        List<S3Object> files = lake.s3().client().list(Lake.BUCKET, SCHEMA + "/" + table + "/").stream().filter(file -> file.size() > 0).toList();
        assertThat(files).as("files of %s", table).hasSize(1);
        return files.get(0).key();
    }

    /* As another writer would. */
    private void overwrite(String key, String with)
    {
        lake.s3().client().put(Lake.BUCKET, key, lake.s3().client().get(Lake.BUCKET, with));
    }

    private QueryResult assertServed(String sql, long hits, long misses)
    {
        QueryResult result = client(SCHEMA).execute(sql);
        Rows.assertSameRows(result, stock(SCHEMA).execute(sql));
        assertThat(sum(result, JOINS)).isEqualTo(1);
        assertThat(sum(result, MISSES)).as("splits computed").isEqualTo(misses);
        assertThat(sum(result, HITS)).as("splits served").isEqualTo(hits);
        return result;
    }

    private void assertServed(String sql)
    {
        QueryResult served = client(SCHEMA).execute(sql);
        Rows.assertSameRows(served, stock(SCHEMA).execute(sql));
        assertThat(sum(served, JOINS)).isEqualTo(1);
        assertThat(sum(served, HITS) + sum(served, MISSES)).as("splits").isEqualTo(FILES);
        // on a slow machine, splits that are listed late may be placed on the other worker, which computes them
        assertThat(sum(served, HITS)).as("splits served").isGreaterThan(FILES / 2);
    }

    /* Earlier results are whole, and the results of this query are served. */
    private void assertRightAndServed(String sql)
    {
        QueryResult expected = stock(SCHEMA).execute(sql);
        Rows.assertSameRows(client(SCHEMA).execute(sql), expected);
        assertServed(sql);
    }

    private static void assertRightOrPrestosError(CompletableFuture<QueryResult> running, QueryResult... answers)
    {
        try {
            QueryResult result = running.get(2, TimeUnit.MINUTES);
            assertThat(answers).anySatisfy(answer -> Rows.assertSameRows(result, answer));
        }
        catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOfSatisfying(QueryFailedException.class, failed -> assertThat(failed.errorCode())
                    .as("code of %s", failed.getMessage()).isNotIn(0, INTERNAL_ERROR));
        }
        catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("The query did not end", e);
        }
    }

    private void assertBuildSidesAreBounded()
    {
        for (int worker = 0; worker < 2; worker++) {
            assertThat(fragments(worker, "CurrentBuildSideBytes")).isBetween(0.0, (double) (8 << 20));
        }
    }

    private static CompletableFuture<QueryResult> later(PrestoClient client, String sql)
    {
        return CompletableFuture.supplyAsync(() -> client.execute(sql), command -> new Thread(command).start());
    }

    private static List<QueryResult> atATime(PrestoClient client, List<String> queries)
    {
        List<CompletableFuture<QueryResult>> running = new ArrayList<>();
        queries.forEach(sql -> running.add(later(client, sql)));
        return running.stream().map(CompletableFuture::join).toList();
    }

    /* A query that waits for a request that is held forever would end only with this. */
    private PrestoClient client(String schema)
    {
        return lake.client(schema).withSession("query_max_run_time", "5m");
    }

    private PrestoClient writer()
    {
        return client(SCHEMA).withSession("task_writer_count", "1").withSession("scale_writers", "true");
    }

    private PrestoClient stock(String schema)
    {
        return client(schema).withSchema(BesideStock.STOCK, schema);
    }

    private long sum(QueryResult result, String metric)
    {
        return client(SCHEMA).statistics(result).metric(metric).sum();
    }
}
