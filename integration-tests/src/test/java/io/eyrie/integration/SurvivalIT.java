// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.presto.NodeMBeans;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/** A coordinator and a worker of 1 GB each, with every layer on, survive the queries and files that Presto survives, and answer as Presto answers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SurvivalIT
{
    private static final String SCHEMA = "survival";
    private static final boolean LONG = Boolean.getBoolean("eyrie.stress");
    private static final int AT_A_TIME = 20;
    private static final int WIDTH = 2000;

    private final Lake lake = Lake.builder(Checkout.find())
            .name("survival")
            .workers(1)
            .property("fragment-result-cache.enabled", "true")
            .property("fragment-result-cache.max-single-pages-size", "256MB")
            .property("hive.metastore-cache-ttl", "1h")
            .property("hive.file-status-cache-tables", "*")
            .property("hive.file-status-cache-expire-time", "1h")
            .property("cache.open-partition-age", "1ms")
            .property("cache.trace-directory", "file:${node.directory}/data")
            .property("cache.control-directory", "file:${node.directory}/control")
            .plugin("hive-stock", Checkout.find().stockPlugin())
            .catalog(BesideStock.STOCK, Map.of(
                    "connector.name", "hive-hadoop2", "cache.enabled", "", "cache.base-directory", "", "cache.max-cache-size", ""))
            // a list of a hundred thousand values takes 16.4 MB
            .config("experimental.internal-communication.max-task-update-size", "32MB")
            .start();
    private final List<Long> started = lake.presto().pids();

    @BeforeAll
    void createTables()
    {
        PrestoClient writer = client().withSession("task_writer_count", "1").withSession("eyrie.collect_column_statistics_on_write", "false");
        writer.execute("CREATE SCHEMA " + SCHEMA);
        lake.createTable(SCHEMA, "numbers", "x bigint, s varchar", "format = 'ORC'");
        writer.execute("INSERT INTO numbers SELECT x, cast(x AS varchar) FROM UNNEST(sequence(1, 10000)) AS t(x)");
        // 2 MB on the disk, 500 MB as blocks
        lake.createTable(SCHEMA, "texts", "x bigint, s varchar", "format = 'ORC'");
        writer.execute("INSERT INTO texts SELECT 500 * y + x, cast(500 * y + x AS varchar) || '" + "-".repeat(2000) + "'"
                + " FROM UNNEST(sequence(0, 499)) AS t(y), UNNEST(sequence(0, 499)) AS u(x)");
        lake.createTable(SCHEMA, "wide", columns(i -> "c" + i + " bigint"), "format = 'ORC'");
        writer.execute("INSERT INTO wide SELECT " + columns(i -> "x") + " FROM UNNEST(sequence(1, 10)) AS t(x)");
    }

    @AfterEach
    void everyProcessLives()
            throws IOException
    {
        for (String node : List.of("coordinator", "worker-0")) {
            Path log = lake.presto().logDirectory().resolve(node + ".log");
            try (Stream<String> lines = Files.lines(log, ISO_8859_1)) {
                assertThat(lines.filter(line -> line.contains("OutOfMemoryError")).toList()).as("%s", log).isEmpty();
            }
        }
        assertThat(lake.presto().pids()).as("processes").isEqualTo(started);
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    void projectionsNestedToAnyDepth()
    {
        for (int depth : LONG ? IntStream.rangeClosed(1, 30).toArray() : new int[] {12, 30}) {
            assertAnswersOfPresto("SELECT sum(x) FROM (" + nested("x * 2 - x", depth) + ")");
        }
    }

    @Test
    void layersOfCaseThatEachNameTheOneBelowSixTimes()
    {
        String layer = "CASE WHEN x > 6000 THEN x - 1 WHEN x < 20 THEN x + 1 WHEN x = 3000 THEN x * 2 ELSE 7 END";
        for (int depth : LONG ? IntStream.rangeClosed(1, 8).toArray() : new int[] {5}) {
            assertAnswersOfPresto("SELECT x % 10, sum(x) FROM (" + nested(layer, depth) + ") GROUP BY 1");
        }
    }

    /* Presto itself takes about a minute to plan a list of a hundred thousand values on a loaded machine. */
    @Test
    void longLists()
    {
        int length = LONG ? 100_000 : 10_000;
        String list = first(length, i -> String.valueOf(3 * i), ",");
        assertAnswersOfPresto("SELECT count(*), sum(x) FROM numbers WHERE x IN (" + list + ")");
        if (LONG) {
            assertAnswersOfPresto("SELECT count(*), sum(x) FROM numbers WHERE x + 1 NOT IN (" + list + ")");
            String words = first(80_000, i -> "'" + 3 * i + "'", ",");
            assertAnswersOfPresto("SELECT count(*), sum(x) FROM numbers WHERE s IN (" + words + ")");
        }
    }

    @Test
    void tableOfTwoThousandColumns()
    {
        assertAnswersOfPresto("SELECT * FROM wide WHERE c7 > 3");
        assertAnswersOfPresto("SELECT count(*), max(c1999) FROM wide WHERE c3 > 1 OR c1500 < 3");
        if (LONG) {
            assertAnswersOfPresto("SELECT " + columns(i -> "c" + i + " + 1") + " FROM wide");
            assertAnswersOfPresto("SELECT " + columns(i -> "sum(c" + i + ")") + " FROM wide");
            assertAnswersOfPresto("SELECT c0, " + columns(i -> "sum(c" + i + ")") + " FROM wide GROUP BY 1");
            assertAnswersOfPresto("SELECT count(*) FROM wide WHERE " + columns(i -> "c" + i + " > 2").replace(", ", " AND "));
        }
    }

    /* What the coordinator sends with a plan: fragments with their layouts, and splits. */
    @Test
    void taskUpdatesAreHardlyLargerThanThoseOfPresto()
    {
        int many = LONG ? 500 : 100;
        Map<String, String> queries = new LinkedHashMap<>();
        queries.put("nested", "SELECT sum(x) FROM (" + nested("x * 2 - x", 12) + ")");
        queries.put("IN", "SELECT count(*) FROM numbers WHERE x IN (" + first(1_000, i -> String.valueOf(3 * i), ",") + ")");
        queries.put("strings", "SELECT count(*) FROM numbers WHERE s IN (" + first(1_000, i -> "'this is word number " + i + "'", ",") + ")");
        queries.put("OR", "SELECT count(*) FROM numbers WHERE " + first(200, i -> "s LIKE '%" + i + "%'", " OR "));
        queries.put("AND", "SELECT count(*) FROM numbers WHERE " + first(200, i -> "s NOT LIKE '%" + i + "%'", " AND "));
        queries.put("all columns", "SELECT * FROM wide WHERE c7 = 7");
        queries.put("one column", "SELECT sum(c1) FROM wide WHERE c7 = 7");
        queries.put("sums", "SELECT c3, " + first(many, i -> "sum(c" + i + ")", ", ") + " FROM wide GROUP BY 1");
        queries.put("expressions", "SELECT " + first(many, i -> "c" + i + " + 1", ", ") + " FROM wide WHERE c7 = 7");
        queries.put("small expressions", "SELECT " + first(many, i -> "c" + i + " IS NULL", ", ") + " FROM wide WHERE c7 = 7");
        queries.put("conditions", "SELECT count(*) FROM wide WHERE " + first(many, i -> "c" + i + " < 100000", " AND "));
        queries.put("keys", "SELECT x % 3, s, x % 5, x % 7, x % 11, count(*) FROM numbers GROUP BY 1, 2, 3, 4, 5");
        queries.put("rows", "SELECT x, s FROM numbers WHERE x > 9990 ORDER BY s DESC, x LIMIT 10");
        Map<String, Double> ratios = new LinkedHashMap<>();
        queries.forEach((name, sql) -> ratios.put(name, updateBytes(client(), sql) / updateBytes(stock(), sql)));
        assertThat(ratios).allSatisfy((name, ratio) -> assertThat(ratio).as("%s of %s", name, ratios).isLessThan(1.2));
    }

    /* In the mean of a query's updates: their number depends on time. */
    private double updateBytes(PrestoClient client, String sql)
    {
        NodeMBeans coordinator = lake.presto().coordinatorMBeans();
        String bean = "com.facebook.presto.server.remotetask:name=RemoteTaskStats";
        String size = "UpdateWithPlanSize.AllTime.";
        double bytes = coordinator.number(bean, size + "Total");
        double count = coordinator.number(bean, size + "Count");
        client.execute(sql);
        return (coordinator.number(bean, size + "Total") - bytes) / (coordinator.number(bean, size + "Count") - count);
    }

    @Test
    void twentyQueriesAtATimeOverResultsOf500Megabytes()
            throws Exception
    {
        // each of both needs the texts themselves above the join
        String sql = "SELECT count(*), max(t.s || n.s) FROM texts t JOIN numbers n ON t.x = n.x WHERE t.x > ";
        String answer = stock().execute(sql + 0).rows().toString();
        // a large result is recorded at its second use
        client().execute(sql + 0);
        client().execute(sql + 0);
        List<String> same = Collections.nCopies(AT_A_TIME, sql + 0);
        if (LONG) {
            assertAtATime(stock(), same, answer);
        }
        // two splits a query; a few may find the memory for results in use, and are computed
        assertThat(servedSplits(assertAtATime(client(), same, answer))).as("splits served from results").isGreaterThanOrEqualTo(AT_A_TIME);
        if (LONG) {
            // none of them has been asked before
            List<String> different = IntStream.range(1, AT_A_TIME + 1).mapToObj(i -> sql + -i).toList();
            assertAtATime(client(), different, answer);
            assertAtATime(client(), different, answer);
            assertThat(servedSplits(assertAtATime(client(), different, answer))).as("splits served from results").isPositive();
        }
    }

    private long servedSplits(List<QueryResult> results)
    {
        return results.stream().mapToLong(result -> client().statistics(result).metric("eyrieFragmentHits").sum()).sum();
    }

    private static List<QueryResult> assertAtATime(PrestoClient client, List<String> queries, String answer)
            throws Exception
    {
        ExecutorService threads = Executors.newFixedThreadPool(queries.size());
        try {
            List<Future<QueryResult>> running = new ArrayList<>();
            for (String sql : queries) {
                running.add(threads.submit(() -> client.execute(sql)));
            }
            List<QueryResult> results = new ArrayList<>();
            for (Future<QueryResult> one : running) {
                results.add(one.get());
                assertThat(one.get().rows()).hasToString(answer);
            }
            return results;
        }
        finally {
            threads.shutdownNow();
        }
    }

    private void assertAnswersOfPresto(String sql)
    {
        List<String> answers = outcome(stock(), sql);
        assertThat(outcome(client(), sql)).as("cold: %.200s", sql).isEqualTo(answers);
        assertThat(outcome(client(), sql)).as("warm: %.200s", sql).isEqualTo(answers);
    }

    /* The rows in an order of their own, or the engine's code of the error. */
    private static List<String> outcome(PrestoClient client, String sql)
    {
        try {
            return client.execute(sql).rows().stream().map(String::valueOf).sorted().toList();
        }
        catch (QueryFailedException e) {
            assertThat(e.errorCode()).as("code of %.2000s", e.getMessage()).isNotZero();
            return List.of("error " + e.errorCode());
        }
    }

    private static String nested(String expression, int depth)
    {
        String query = "SELECT x FROM numbers";
        for (int i = 0; i < depth; i++) {
            query = "SELECT " + expression + " x FROM (" + query + ")";
        }
        return query;
    }

    private static String columns(IntFunction<String> column)
    {
        return first(WIDTH, column, ", ");
    }

    private static String first(int count, IntFunction<String> item, String separator)
    {
        return IntStream.range(0, count).mapToObj(item).collect(joining(separator));
    }

    /* A query of which a process has died would wait for it. */
    private PrestoClient client()
    {
        return lake.client(SCHEMA).withSession("query_max_run_time", LONG ? "10m" : "3m");
    }

    private PrestoClient stock()
    {
        return client().withSchema(BesideStock.STOCK, SCHEMA);
    }
}
