// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the guarantees that the scan of a leaf fragment gives the engine, compared with the plan that it replaces. The engine runs its plan checkers
 * on each query, so a plan whose guarantees do not hold fails.
 */
final class LeafPromises
{
    private static final List<Map<String, String>> SESSIONS = List.of(
            Map.of(),
            Map.of("prefer_partial_aggregation", "false", "use_mark_distinct", "false"),
            Map.of("eyrie.order_based_execution_enabled", "true", "prefer_partial_aggregation", "false"),
            Map.of("streaming_for_partial_aggregation_enabled", "true", "eyrie.order_based_execution_enabled", "true"),
            Map.of("grouped_execution", "true", "colocated_join", "true", "prefer_merge_join_for_sorted_inputs", "true",
                    "eyrie.order_based_execution_enabled", "true"));

    private static final List<String> SHAPES = List.of(
            "SELECT k, array_agg(id ORDER BY id) FROM %s WHERE k = 1 GROUP BY k",
            "SELECT k, array_agg(id ORDER BY id) FROM %s WHERE k IN (1) AND x > 3 GROUP BY k",
            "SELECT k, array_agg(id ORDER BY id) FROM %s WHERE k IS NULL GROUP BY k",
            "SELECT a, array_agg(b ORDER BY b) FROM (SELECT k a, id + 1 b FROM %s WHERE k = 1) GROUP BY a",
            "SELECT a, b, array_agg(id ORDER BY id) FROM (SELECT k a, k b, id FROM %s WHERE k = 1) GROUP BY a, b",
            "SELECT c, array_agg(id ORDER BY id) FROM (SELECT 5 c, id FROM %s WHERE id > 290) GROUP BY c",
            "SELECT ds, array_agg(id ORDER BY id) FROM %s WHERE ds = 'one' AND id > 290 GROUP BY ds",
            "SELECT ds, k, array_agg(x ORDER BY x) FROM %s WHERE ds = 'one' AND k = 1 GROUP BY ds, k",
            "SELECT k, count(DISTINCT s) FROM %s WHERE k = 1 GROUP BY k",
            "SELECT k, count(DISTINCT s), count(DISTINCT x) FROM %s WHERE k = 1 GROUP BY k",
            "SELECT k, s, sum(x) FROM %s WHERE s = '2' GROUP BY k, s",
            "SELECT k, sum(x) FROM %s WHERE id %% 3 > 0 GROUP BY k",
            "SELECT k, array_agg(id ORDER BY id) FROM %s WHERE id %% 3 > 0 GROUP BY k",
            "SELECT k, row_number() OVER (PARTITION BY k ORDER BY id) FROM %s WHERE k = 1",
            "SELECT k, id, row_number() OVER (PARTITION BY k ORDER BY id) FROM %s WHERE id > 250",
            "SELECT l.k, l.s, r.x FROM (SELECT * FROM %1$s WHERE id < 100) l JOIN (SELECT * FROM %1$s WHERE id > 200) r ON l.k = r.k AND l.ds = r.ds",
            "SELECT l.k, count(*) FROM %1$s l JOIN %1$s r ON l.k = r.k AND l.id = r.id WHERE l.x > 2 AND r.s > '1' GROUP BY l.k",
            "SELECT id, k, \"$path\" LIKE '%%two%%', \"$file_size\" > 0 FROM %s WHERE k = 1 AND \"$path\" LIKE '%%one%%'",
            "SELECT id, n FROM (SELECT id, NULL n FROM %1$s WHERE id > 250 UNION ALL SELECT id, k FROM %1$s WHERE k IS NULL)",
            "SELECT DISTINCT k, ds FROM %s WHERE k = 1",
            "SELECT count(*), count(1), sum(2) FROM %s",
            "SELECT 7, count(*) FROM %s GROUP BY 1",
            "SELECT count(*) FROM %s WHERE k = 1",
            "SELECT id FROM %s WHERE k = 1 ORDER BY id LIMIT 3",
            "SELECT k, count(*) FROM (SELECT k, id FROM %s ORDER BY id DESC LIMIT 30) GROUP BY k",
            "SELECT s, k, x FROM (SELECT k, upper(s) s, x + 1 x FROM %s WHERE x < 20) WHERE s > '1'");

    private static final String BUCKETS = "SELECT id, \"$bucket\" FROM sorted WHERE k = 1 AND \"$bucket\" + id > 10";

    private final Lake lake;
    private final AuditPlugin audit;
    private final String schema;
    // without and with leaf fragments
    private final Map<String, List<QueryResult>> results = new LinkedHashMap<>();

    LeafPromises(Lake lake, AuditPlugin audit, String schema)
    {
        this.lake = lake;
        this.audit = audit;
        this.schema = schema;
    }

    /** Creates tables with the same content: one with sorted buckets, one without buckets. */
    void createTables()
    {
        for (String table : List.of("sorted", "plain")) {
            lake.createTable(
                    schema,
                    table,
                    "k bigint, id bigint, s varchar, x double, ds varchar",
                    "format = 'ORC', partitioned_by = ARRAY['ds']" + (table.equals("sorted")
                            ? ", bucketed_by = ARRAY['k'], bucket_count = 4, sorted_by = ARRAY['k']"
                            : ""));
            client().execute("INSERT INTO " + table
                    + " SELECT if(v % 7 = 6, NULL, v % 7), v, cast(v % 5 AS varchar), v / 8e0, if(v < 150, 'one', 'two')"
                    + " FROM UNNEST(sequence(0, 299)) AS t(v)");
        }
    }

    void plansStayValid()
    {
        for (String table : List.of("sorted", "plain")) {
            for (String sql : queries(table)) {
                QueryResult stock = alone(client()).execute(sql);
                for (Map<String, String> session : sessions(table, sql)) {
                    try {
                        QueryResult result = with(session).execute(sql);
                        Rows.assertSameRows(result, stock);
                        assertPlanWasChecked(result, session.isEmpty() ? 1 : 0);
                        if (results.putIfAbsent(sql, List.of(stock, result)) == null) {
                            // while the coordinator still has information on both
                            assertThat(inputs(result)).as("inputs").isEqualTo(inputs(stock));
                        }
                    }
                    catch (RuntimeException | AssertionError e) {
                        throw new AssertionError(session + ": " + sql, e);
                    }
                }
            }
        }
    }

    /* Most sessions make no difference for a table that is not sorted, and those for aggregations make none for queries that do not group rows. */
    private static List<Map<String, String>> sessions(String table, String sql)
    {
        Map<String, String> plain = SESSIONS.get(0);
        if (table.equals("plain")) {
            return List.of(plain, plain);
        }
        return sql.contains("GROUP BY") || sql.contains("DISTINCT") || Boolean.getBoolean("eyrie.stress")
                ? SESSIONS
                : List.of(plain, SESSIONS.get(SESSIONS.size() - 1));
    }

    private void assertPlanWasChecked(QueryResult result, int leastLeaves)
    {
        List<Integer> plans = audit.leaves(AuditPlugin.FINAL, result.queryId());
        assertThat(plans).as("leaves of the plan that the engine's checkers passed").hasSize(1);
        assertThat(plans.get(0)).as("leaves of the plan").isGreaterThanOrEqualTo(leastLeaves);
        assertThat(audit.leaves(AuditPlugin.FRAGMENT, result.queryId()).stream().mapToInt(Integer::intValue).sum()).as("leaves of its fragments")
                .isEqualTo(plans.get(0));
    }

    private static List<String> queries(String table)
    {
        List<String> queries = new ArrayList<>(List.of(BUCKETS));
        SHAPES.forEach(shape -> queries.add(String.format(Locale.ROOT, shape, table)));
        return queries;
    }

    private PrestoClient with(Map<String, String> session)
    {
        PrestoClient client = client();
        for (Map.Entry<String, String> property : session.entrySet()) {
            client = client.withSession(property.getKey(), property.getValue());
        }
        return client;
    }

    /*
     * The engine reports the columns of scans and, for joins, the statistics of their tables, to its web page and to event listeners. This checks the
     * events of the earlier queries.
     */
    void eventsAreThoseOfPlansLeftAlone()
    {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!results.values().stream().flatMap(List::stream).allMatch(result -> audit.isCompleted(result.queryId()))
                && System.nanoTime() < deadline) {
            client().execute("SELECT 1");
        }
        assertThat(results.size()).as("queries").isGreaterThan(2 * SHAPES.size());
        results.forEach((sql, pair) -> assertThat(audit.inputs(pair.get(1).queryId())).as("of the event: " + sql)
                .isNotEmpty()
                .isEqualTo(audit.inputs(pair.get(0).queryId())));
    }

    private Set<Object> inputs(QueryResult result)
    {
        Set<Object> inputs = new HashSet<>();
        for (JsonNode input : client().statistics(result).queryInfo().path("inputs")) {
            Set<String> columns = new TreeSet<>();
            input.path("columns").forEach(column -> columns.add(column.toString()));
            inputs.add(List.of(input.path("table"), input.path("connectorInfo"), input.path("statistics"), columns));
        }
        return inputs;
    }

    void statisticsAreThoseOfPlansLeftAlone()
    {
        client().execute("ANALYZE plain");
        for (String sql : List.of(
                "SHOW STATS FOR plain",
                "SHOW STATS FOR (SELECT k, s FROM plain WHERE ds = 'one')",
                "SHOW STATS FOR (SELECT * FROM plain WHERE ds IN ('one', 'two') AND ds > 'p')",
                "EXPLAIN (TYPE IO) INSERT INTO plain SELECT k, id + 1, s, x, ds FROM plain WHERE ds = 'one' AND k = 1")) {
            Rows.assertSameRows(client().execute(sql), alone(client()).execute(sql));
        }
    }

    void excludedPartitionsAreNotRead()
    {
        lake.createTable(schema, "facts", "v bigint, day bigint", "format = 'ORC', partitioned_by = ARRAY['day']");
        client().withSession("task_writer_count", "1").execute(
                "INSERT INTO facts SELECT v, day FROM UNNEST(sequence(1, 100)) AS t(v), UNNEST(sequence(1, 20)) AS d(day)");
        lake.createTable(schema, "chosen", "day bigint, name varchar", "format = 'ORC'");
        client().execute("INSERT INTO chosen SELECT day, if(day = 7, 'wanted', 'other') FROM UNNEST(sequence(1, 20)) AS d(day)");
        assertRowsReadAreThoseOfStock("SELECT count(*), sum(v) FROM facts JOIN chosen ON facts.day = chosen.day WHERE name = 'wanted' AND v % 2 = 0",
                1000);
    }

    void excludedBucketsAreNotRead()
    {
        lake.createTable(schema, "bucketed_facts", "v bigint, id bigint, ds varchar",
                "format = 'ORC', partitioned_by = ARRAY['ds'], bucketed_by = ARRAY['id'], bucket_count = 8");
        client().execute("INSERT INTO bucketed_facts SELECT v, id, 'day' FROM UNNEST(sequence(1, 100)) AS t(v), UNNEST(sequence(1, 20)) AS d(id)");
        lake.createTable(schema, "chosen_ids", "id bigint, name varchar", "format = 'ORC'");
        client().execute("INSERT INTO chosen_ids SELECT id, if(id = 7, 'wanted', 'other') FROM UNNEST(sequence(1, 20)) AS d(id)");
        assertRowsReadAreThoseOfStock(
                "SELECT count(*), sum(v) FROM bucketed_facts f JOIN chosen_ids c ON f.id = c.id WHERE name = 'wanted' AND v % 2 = 0",
                1000);
    }

    /* With dynamic filters: without them, more rows are read than the bound. */
    private void assertRowsReadAreThoseOfStock(String sql, long bound)
    {
        PrestoClient client = client().withSession("enable_dynamic_filtering", "true").withSession("join_distribution_type", "BROADCAST");
        QueryResult stock = alone(client).execute(sql);
        List<@Nullable Object> rows = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            QueryResult result = client.execute(sql);
            Rows.assertSameRows(result, stock);
            rows.add(rowsRead(client, result));
        }
        assertThat(rows).as("rows read, cold and warm").containsOnly(rowsRead(client, stock));
        assertThat(rowsRead(client, stock)).isLessThan(bound);
    }

    private static long rowsRead(PrestoClient client, QueryResult result)
    {
        return client.statistics(result).queryInfo().path("queryStats").path("rawInputPositions").asLong();
    }

    void exchangesAreMaterialized()
    {
        PrestoClient client = client().withSession("exchange_materialization_strategy", "ALL").withSession("partitioning_provider_catalog",
                Lake.CATALOG)
                .withSession("hash_partition_count", "4")
                .withSession("eyrie.temporary_table_schema", schema);
        for (String sql : List.of(
                "SELECT k, sum(x), count(*) FROM plain WHERE id > 10 GROUP BY k",
                "SELECT l.k, count(*) FROM plain l JOIN sorted r ON l.id = r.id WHERE l.x > 2 GROUP BY l.k")) {
            QueryResult stock = alone(client()).execute(sql);
            Rows.assertSameRows(client.execute(sql), stock);
            Rows.assertSameRows(client.execute(sql), stock);
        }
    }

    void samplesAreOfFiles()
    {
        lake.createTable(schema, "sampled", "v bigint, ds bigint", "format = 'ORC', partitioned_by = ARRAY['ds']");
        client().withSession("task_writer_count", "1").execute(
                "INSERT INTO sampled SELECT v, ds FROM UNNEST(sequence(1, 10)) AS t(v), UNNEST(sequence(1, 8)) AS d(ds)");
        for (String filter : List.of("", " WHERE v > 0")) {
            Set<Object> counts = new HashSet<>();
            for (int i = 0; i < 12; i++) {
                counts.add(client().execute("SELECT count(*) FROM sampled TABLESAMPLE SYSTEM (50)" + filter).onlyValue());
            }
            // the probability of all files or none in all twelve runs is 1 in 2^84
            assertThat(counts).as("rows of samples of eight files of ten rows").anyMatch(count -> !count.equals(0L) && !count.equals(80L));
            assertThat(client().execute("SELECT count(*) FROM sampled TABLESAMPLE SYSTEM (100)" + filter).onlyValue()).isEqualTo(80L);
        }
    }

    private PrestoClient client()
    {
        return lake.client(schema);
    }

    private static PrestoClient alone(PrestoClient client)
    {
        return client.withSession("eyrie.fragment_result_cache_enabled", "false");
    }
}
