// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.presto.NodeMBeans;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the guarantees of affinity on a real cluster: a coordinator and five workers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AffinityIT
{
    private static final int WORKERS = 5;
    private static final int FILES = 64;
    private static final int UNPACKED = 2;
    private static final long ROWS_OF_TINY = 60_175;
    private static final String SCHEMA = "affinity";
    private static final String COLUMNS = "l_orderkey bigint, l_quantity double, l_comment varchar";
    private static final String ROWS = "SELECT l_orderkey, l_quantity, l_comment FROM tpch.tiny.lineitem";
    private static final String SUM = "SELECT count(*), sum(l_orderkey), max(l_comment) FROM ";
    private static final String ARRIVALS = "io.eyrie:type=SplitArrivals,name=eyrie";
    private static final String DATA_CACHE = "io.eyrie:type=DataCache,name=eyrie";

    private final Lake lake;
    private final PrestoClient client;

    AffinityIT()
    {
        lake = Lake.builder(Checkout.find())
                .name("affinity")
                .workers(WORKERS)
                .property("hive.affinity-scheduling-grace-period", "5s")
                .property("hive.affinity-scheduling-unpacked-splits-per-node", Integer.toString(UNPACKED))
                // how long queries wait for a worker that was killed
                .config("query.remote-task.max-error-duration", "10s")
                .config("exchange.max-error-duration", "10s")
                .start();
        client = lake.client(SCHEMA);
    }

    @BeforeAll
    void createSchema()
    {
        client.execute("CREATE SCHEMA " + SCHEMA);
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    @Order(1)
    void fiveFilesLeaveAWorkerIdle()
    {
        lake.createTableOfCopies(SCHEMA, "five", COLUMNS, ROWS, WORKERS);
        List<Double> before = onWorkers(ARRIVALS, "KeptSplits");
        client.execute(SUM + "five");
        List<Double> after = onWorkers(ARRIVALS, "KeptSplits");
        assertThat(IntStream.range(0, WORKERS).mapToObj(worker -> after.get(worker) - before.get(worker))).containsOnly(1.0);
    }

    @Test
    @Order(2)
    void filesAreKeptTwiceOrReadAgain()
    {
        double before = sum(onWorkers(DATA_CACHE, "CurrentBytes"));
        long bytes = lake.createTableOfCopies(SCHEMA, "many", COLUMNS, ROWS, FILES);
        QueryResult cold = client.execute(SUM + "many");
        assertThat(cold.rows()).isEqualTo(expected(FILES));
        QueryStatistics warm = client.statistics(client.execute(SUM + "many"));
        assertThat(hitRatio(warm)).isGreaterThanOrEqualTo(0.98);
        assertThat(sum(onWorkers(DATA_CACHE, "CurrentBytes")) - before).isBetween(0.9 * bytes, 1.05 * bytes);
    }

    @Test
    @Order(3)
    void placementIsSeenByNodeAndByQuery()
    {
        QueryStatistics statistics = client.statistics(client.execute(SUM + "many"));
        long placed = statistics.metric("eyriePlacementOwnSplits").sum() + statistics.metric("eyriePlacementOverflowSplits").sum();
        assertThat(placed).isEqualTo(FILES);
        assertThat(statistics.metric("eyriePlacementKeptSplits").sum() + statistics.metric("eyriePlacementElsewhereSplits").sum()).isEqualTo(FILES);

        NodeMBeans coordinator = lake.presto().coordinatorMBeans();
        List<String> nodes = coordinator.names().stream().filter(name -> name.startsWith("io.eyrie:") && name.contains(
                "type=NodePlacement")).toList();
        assertThat(nodes).hasSize(WORKERS);
        for (String node : nodes) {
            assertThat(coordinator.number(node, "Splits")).isGreaterThanOrEqualTo(3 * FILES / (double) WORKERS / 2);
            assertThat(coordinator.number(node, "Keys")).isPositive();
            assertThat(coordinator.number(node, "Bytes")).isPositive();
            assertThat(coordinator.number(node, "NonPreferredShare")).isBetween(0.0, 0.5);
        }
        assertThat(onWorkers(ARRIVALS, "NonPreferredShare")).allMatch(share -> share <= 0.5);
    }

    @Test
    @Order(3)
    void smallFilesAreASplitEach()
    {
        QueryResult summed = client.execute(SUM + "many");
        QueryResult filtered = client.execute(
                "SELECT count(*), sum(l_orderkey), max(l_comment) FROM many WHERE l_quantity < 5 OR l_comment LIKE '%a%'");
        assertThat(summed.rows()).isEqualTo(expected(FILES));
        assertThat(filtered.rows()).isEqualTo(lake.presto().client("tpch", "tiny").execute("SELECT " + FILES + " * count(*), " + FILES
                + " * sum(l_orderkey), max(l_comment) FROM lineitem WHERE l_quantity < 5 OR l_comment LIKE '%a%'").rows());
        for (QueryResult result : List.of(summed, filtered)) {
            QueryStatistics statistics = client.statistics(result);
            assertThat(statistics.metric("eyriePackedSplits").sum()).isBetween(FILES / 2L, (long) FILES);
            assertThat(statistics.metric("eyriePlacementKeptSplits").sum() + statistics.metric("eyriePlacementElsewhereSplits").sum()).isEqualTo(
                    FILES);
            // besides those of the scan, each stage has a driver or two on each worker
            assertThat(statistics.queryInfo().path("queryStats").path("completedDrivers").asInt()).isLessThan(FILES);
            assertThat(statistics.queryInfo().path("queryStats").path("rawInputPositions").asLong()).isEqualTo(FILES * ROWS_OF_TINY);
        }
    }

    @ParameterizedTest
    @Order(4)
    @ValueSource(strings = {"SOFT_AFFINITY", "NO_PREFERENCE"})
    void strategyChangesTheAnswer(String strategy)
    {
        assertThat(client.withSession("eyrie.node_selection_strategy", strategy).execute(SUM + "many").rows()).isEqualTo(expected(FILES));
    }

    /** As in Presto, the query fails: on S3, no host stores the blocks of a file, so a split has no node that may run it. */
    @Test
    @Order(4)
    void hardAffinityRunsOnS3()
    {
        PrestoClient hard = client.withSession("eyrie.node_selection_strategy", "HARD_AFFINITY");
        assertThatThrownBy(() -> hard.execute(SUM + "many")).hasMessageContaining("No nodes available to run query");
    }

    @Test
    @Order(5)
    void bucketedJoinAndGroupedExecutionChangeTheAnswer()
    {
        for (String table : List.of("left_side", "right_side")) {
            lake.createTable(SCHEMA, table, COLUMNS + ", part integer",
                    "format = 'ORC', partitioned_by = ARRAY['part'], bucketed_by = ARRAY['l_orderkey'], bucket_count = 11");
            client.execute("INSERT INTO " + table + " SELECT *, 1 FROM (" + ROWS + ")");
        }
        String join = "SELECT count(*), sum(a.l_quantity) FROM %s a JOIN %s b ON a.l_orderkey = b.l_orderkey";
        List<?> expected = lake.presto().client("tpch", "tiny").execute(join.replace("%s", "lineitem")).rows();
        String sql = join.replaceFirst("%s", "left_side").replaceFirst("%s", "right_side");

        PrestoClient colocated = client.withSession("colocated_join", "true").withSession("grouped_execution", "false");
        assertThat(colocated.execute(sql).rows()).isEqualTo(expected);
        QueryStatistics warm = client.statistics(colocated.execute(sql));
        assertThat(warm.queryInfo().toString()).doesNotContain("_LIFESPAN_SCHEDULE_GROUPED_EXECUTION");
        assertThat(hitRatio(warm)).isGreaterThanOrEqualTo(0.98);

        QueryResult grouped = colocated.withSession("grouped_execution", "true").execute(sql);
        assertThat(grouped.rows()).isEqualTo(expected);
        assertThat(client.statistics(grouped).queryInfo().toString()).contains("_LIFESPAN_SCHEDULE_GROUPED_EXECUTION");
        assertThat(client.execute(SUM + "left_side").rows()).isEqualTo(expected(1));
        assertThat(client.execute(SUM + "left_side WHERE l_orderkey = 1").rows()).isEqualTo(
                lake.presto().client("tpch", "tiny").execute(SUM + "lineitem WHERE l_orderkey = 1").rows());
    }

    /** Tables of four and sixteen buckets are joined by the map of four; the exchange through a temporary table and the INSERT have maps of their own. */
    @Test
    @Order(5)
    void severalMapsOfBucketsChangeTheAnswer()
    {
        for (int buckets : List.of(4, 16)) {
            lake.createTable(SCHEMA, "of_" + buckets, COLUMNS + ", part integer",
                    "format = 'ORC', partitioned_by = ARRAY['part'], bucketed_by = ARRAY['l_orderkey'], bucket_count = " + buckets);
            client.execute("INSERT INTO of_" + buckets + " SELECT *, 1 FROM (" + ROWS + ")");
        }
        String join = "SELECT a.l_quantity, count(*), sum(b.l_quantity) FROM %s a JOIN %s b ON a.l_orderkey = b.l_orderkey GROUP BY 1 ORDER BY 1";
        List<?> expected = lake.presto().client("tpch", "tiny").execute(join.replace("%s", "lineitem")).rows();
        String sql = join.replaceFirst("%s", "of_4").replaceFirst("%s", "of_16");
        PrestoClient colocated = client.withSession("colocated_join", "true").withSession("eyrie.optimize_mismatched_bucket_count", "true");
        PrestoClient materialized = client.withSession("exchange_materialization_strategy", "ALL")
                .withSession("partitioning_provider_catalog", Lake.CATALOG)
                .withSession("hash_partition_count", "7")
                .withSession("eyrie.temporary_table_schema", SCHEMA);
        for (int i = 0; i < 2; i++) {
            assertThat(colocated.execute(sql).rows()).isEqualTo(expected);
            assertThat(materialized.execute(sql).rows()).isEqualTo(expected);
        }
        client.execute("INSERT INTO of_4 SELECT l_orderkey, l_quantity, l_comment, 2 FROM of_16");
        assertThat(client.execute(SUM + "of_4").rows()).isEqualTo(expected(2));
        assertThat(client.execute("SELECT DISTINCT \"$bucket\" FROM of_4").rows()).hasSize(4);
    }

    /** A worker is killed while queries run, and comes back with an empty disk. Those queries may fail as Presto fails them; no later one may. */
    @Test
    @Order(Integer.MAX_VALUE)
    void workerThatIsKilledAndReplacedHurtsLaterQueries()
            throws Exception
    {
        AtomicBoolean stop = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<Integer>> runners = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                runners.add(threads.submit(() -> runUntil(stop)));
            }
            lake.presto().killWorker(0);
            lake.presto().awaitRunningNodes();
        }
        finally {
            stop.set(true);
            threads.shutdown();
        }
        for (Future<Integer> runner : runners) {
            assertThat(runner.get(120, TimeUnit.SECONDS)).isPositive();
        }
        for (int i = 0; i < 3; i++) {
            assertThat(client.execute(SUM + "many").rows()).isEqualTo(expected(FILES));
        }
        Directories.delete(lake.presto().workerDirectory(0).resolve("data"));
        lake.presto().startWorker(0);
        assertThat(client.execute(SUM + "many").rows()).isEqualTo(expected(FILES));
        QueryResult warm = client.execute(SUM + "many");
        assertThat(warm.rows()).isEqualTo(expected(FILES));
        assertThat(hitRatio(client.statistics(warm))).isGreaterThanOrEqualTo(0.98);
    }

    /** Runs queries until {@code stop}; each answers right or fails. Returns how many ran. */
    private int runUntil(AtomicBoolean stop)
    {
        int queries = 0;
        do {
            queries++;
            try {
                assertThat(client.execute(SUM + "many").rows()).isEqualTo(expected(FILES));
            }
            catch (QueryFailedException e) {
                assertThat(e).hasMessageNotContaining("io.eyrie");
            }
        }
        while (!stop.get());
        return queries;
    }

    private List<?> expected(int copies)
    {
        return lake.presto().client("tpch", "tiny").execute(
                "SELECT " + copies + " * count(*), " + copies + " * sum(l_orderkey), max(l_comment) FROM lineitem").rows();
    }

    private List<Double> onWorkers(String mbean, String attribute)
    {
        return IntStream.range(0, WORKERS).mapToObj(worker -> lake.presto().workerMBeans(worker).number(mbean, attribute)).toList();
    }

    private static double sum(List<Double> values)
    {
        return values.stream().mapToDouble(Double::doubleValue).sum();
    }

    private static double hitRatio(QueryStatistics statistics)
    {
        double cached = statistics.metric("eyrieDataCacheReadBytes").sum();
        return cached / (cached + statistics.metric("eyrieDataRemoteReadBytes").sum());
    }
}
