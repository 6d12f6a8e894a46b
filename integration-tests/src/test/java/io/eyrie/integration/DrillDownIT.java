// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that a real cluster answers coarser questions from results of finer ones: with the answers of plans without the cache, and without reading a page. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DrillDownIT
{
    private static final String SCHEMA = "drill";
    private static final String HITS = "eyrieFragmentHits";
    private static final String MISSES = "eyrieFragmentMisses";
    private static final String SUBSUMED = "eyrieFragmentSubsumed";
    private static final int FILES = 3;
    private static final String EXACT = "count(*), count(s), count_if(f), sum(v), sum(m), avg(m), sum(n), avg(n), min(v), max(s), min(d), max(n), bool_and(f),"
            + " bool_or(f), every(f), bitwise_and_agg(v), bitwise_or_agg(v), checksum(s), sum(v) FILTER (WHERE v > 500)";

    private final Lake lake = Lake.builder(Checkout.find())
            .name("drill")
            // one node, because no test here depends on which node runs a split
            .workers(0)
            // with the default of 16 threads for each part of a plan, all but one are idle
            .config("task.concurrency", "2")
            .property("fragment-result-cache.enabled", "true")
            .property("fragment-result-cache.joined.admission", "always")
            .property("fragment-result-cache.joined.max-build-size", "8MB")
            .property("fragment-result-cache.joined.listing-time", "60s")
            .start();

    @BeforeAll
    void createTables()
    {
        for (String format : List.of("orc", "parquet")) {
            createTable("t_" + format, format);
        }
        lake.createTable(SCHEMA, "names", "k bigint, name varchar, kind varchar", "format = 'ORC'");
        client().execute(
                "INSERT INTO names SELECT k, 'name' || cast(k AS varchar), 'kind' || cast(k % 3 AS varchar) FROM UNNEST(sequence(0, 9)) AS t(k)");
    }

    private void createTable(String name, String format)
    {
        lake.createTable(SCHEMA, name,
                "k bigint, s varchar, c char(4), d date, t timestamp, x double, v bigint, m decimal(10,2), n decimal(30,4), f boolean, ds varchar",
                "format = '" + format + "', partitioned_by = ARRAY['ds']");
        for (int file = 0; file < FILES; file++) {
            insert(name, file);
        }
    }

    private void insert(String table, int file)
    {
        client().withSession("task_writer_count", "1").execute("INSERT INTO " + table
                + " SELECT if(i % 13 = 0, NULL, i % 10), if(i % 7 = 0, NULL, 's' || cast(i % 5 AS varchar)),"
                + " cast(if(i % 2 = 0, 'a', 'b ') AS char(4)), date_add('day', i % 4, DATE '2021-01-30'),"
                + " TIMESTAMP '2021-01-01 00:00:00' + i % 3 * INTERVAL '5' HOUR,"
                + " CASE i % 6 WHEN 0 THEN -0e0 WHEN 1 THEN 0e0 WHEN 2 THEN nan() WHEN 3 THEN NULL ELSE 0.1e0 * (i % 3) END,"
                + " i * 37 % 1000, if(i % 11 = 0, NULL, cast(i / 8e0 AS decimal(10,2))), cast(cast(i AS decimal(20,0)) * 1234567890123 AS decimal(30,4)), i % 3 = 0, 'day"
                + file + "' FROM UNNEST(sequence(" + 1000 * file + ", " + (1000 * file + 999) + ")) AS r(i)");
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet"})
    void drillDownSessionReadsNoPage(String format)
    {
        String from = " FROM t_" + format + " WHERE v % 10 < 8";
        assertComputed("SELECT k, s, c, d, t, x, ds, " + EXACT + from + " GROUP BY 1, 2, 3, 4, 5, 6, 7");
        for (String coarser : List.of(
                "SELECT k, c, " + EXACT + from + " GROUP BY 1, 2",
                "SELECT s, sum(v), count(*)" + from + " AND k = 3 GROUP BY 1",
                "SELECT " + EXACT + from,
                "SELECT " + EXACT + from + " AND k = 3 AND c = 'a'",
                "SELECT k, sum(n)" + from + " AND s IS NULL AND d BETWEEN DATE '2021-01-31' AND DATE '2021-02-01' GROUP BY 1",
                "SELECT count(*), max(s)" + from + " AND c = 'b' AND t > TIMESTAMP '2021-01-01 02:00:00'",
                "SELECT ds, count(*)" + from + " AND s LIKE 's1%' GROUP BY 1",
                "SELECT x, count(*), sum(v)" + from + " AND s IN ('s1', 's2') GROUP BY 1",
                "SELECT month(d), date_trunc('day', t), count(*), min(d)" + from + " AND k + 1 < 6 GROUP BY 1, 2",
                "SELECT s, c, count(*)" + from + " AND ds = 'day1' GROUP BY 2, 1",
                "SELECT DISTINCT d, s" + from,
                "SELECT count(DISTINCT k)" + from + " AND s > 's0'")) {
            assertSubsumed(coarser);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet"})
    void whatWouldNotBeExactIsComputed(String format)
    {
        String from = " FROM t_" + format + " WHERE v > 3";
        String inexact = "sum(x), avg(x), avg(v), min(x), max(x), approx_distinct(k), stddev(v), arbitrary(s), max_by(s, v)";
        client().execute("SELECT k, s, x, " + inexact + ", sum(v)" + from + " GROUP BY 1, 2, 3");
        for (String aggregate : List.of("sum(x)", "avg(x)", "avg(v)", "min(x)", "max(x)", "approx_distinct(k)", "stddev(v)", "arbitrary(s)",
                "max_by(s, v)")) {
            QueryResult result = client().execute("SELECT k, sum(v), " + aggregate + from + " GROUP BY 1");
            assertThat(List.of(sum(result, SUBSUMED), sum(result, MISSES))).as(aggregate).containsExactly(0L, (long) FILES);
        }
        for (String coarser : List.of(
                // rows of groups that are equal and not the same
                "SELECT k, sum(v)" + from + " AND x < 1 GROUP BY 1",
                "SELECT cast(x AS varchar), sum(v)" + from + " GROUP BY 1",
                // a condition on rows, a key and an aggregate that the finer result lacks
                "SELECT k, sum(v)" + from + " AND v < 900 GROUP BY 1",
                "SELECT k, sum(v) FROM t_" + format + " WHERE v > 2 GROUP BY 1",
                "SELECT k, c, sum(v)" + from + " GROUP BY 1, 2",
                "SELECT k, sum(v + 1)" + from + " GROUP BY 1")) {
            QueryResult result = client().execute(coarser);
            Rows.assertSameRows(result, alone().execute(coarser));
            assertThat(List.of(sum(result, SUBSUMED), sum(result, MISSES))).as(coarser).containsExactly(0L, (long) FILES);
        }
    }

    @Test
    void finerResultsAreFoundAfterARestart()
    {
        String from = " FROM t_orc WHERE v <> 78";
        assertComputed("SELECT k, s, sum(v), count(*)" + from + " GROUP BY 1, 2");
        lake.presto().restart();
        assertSubsumed("SELECT k, sum(v)" + from + " GROUP BY 1");
    }

    @Test
    void newAndRewrittenFilesAreComputed()
    {
        createTable("growing", "ORC");
        String finer = "SELECT k, s, sum(v), count(*) FROM growing GROUP BY 1, 2";
        client().execute(finer);
        insert("growing", FILES);
        String coarser = "SELECT k, sum(v) FROM growing GROUP BY 1";
        QueryResult result = client().execute(coarser);
        Rows.assertSameRows(result, alone().execute(coarser));
        assertThat(List.of(sum(result, SUBSUMED), sum(result, MISSES))).containsExactly((long) FILES, 1L);
        client().withSession("eyrie.insert_existing_partitions_behavior", "OVERWRITE").execute(
                "INSERT INTO growing SELECT * FROM growing WHERE ds = 'day0'");
        String other = "SELECT s, sum(v) FROM growing GROUP BY 1";
        result = client().execute(other);
        Rows.assertSameRows(result, alone().execute(other));
        assertThat(List.of(sum(result, SUBSUMED), sum(result, MISSES))).as("the file of day 0 was written again: %s %s", client().statistics(result)
                .runtimeMetrics().keySet(), client().execute("SELECT DISTINCT \"$path\" FROM growing").rows()).containsExactly(FILES - 1L, 2L);
    }

    @Test
    void sumThatOverflowsFailsAsWithoutTheCache()
    {
        lake.createTable(SCHEMA, "large", "k bigint, g bigint, v bigint", "format = 'ORC'");
        client().withSession("task_writer_count", "1").execute(
                "INSERT INTO large VALUES (1, 1, 9223372036854775807), (2, 1, 1), (3, 2, -5), (1, 2, -9223372036854775800), (3, 3, 7)");
        Rows.assertSameRows(client().execute("SELECT k, g, sum(v) FROM large GROUP BY 1, 2"), alone().execute(
                "SELECT k, g, sum(v) FROM large GROUP BY 1, 2"));
        for (String sql : List.of("SELECT g, sum(v) FROM large GROUP BY 1", "SELECT sum(v) FROM large WHERE g = 1")) {
            String stock = failure(alone(), sql);
            assertThat(failure(client(), sql)).as(sql).contains("overflow").isEqualTo(stock);
        }
        QueryResult result = client().execute("SELECT k, sum(v) FROM large GROUP BY 1");
        Rows.assertSameRows(result, alone().execute("SELECT k, sum(v) FROM large GROUP BY 1"));
        assertThat(sum(result, SUBSUMED)).isEqualTo(1);
    }

    private static String failure(PrestoClient client, String sql)
    {
        try {
            return client.execute(sql).rows().toString();
        }
        catch (QueryFailedException e) {
            return String.valueOf(e.getMessage()).replaceAll("#\\w+", "");
        }
    }

    @Test
    void sessionsAndModesDecide()
    {
        String from = " FROM t_orc WHERE v <> 77";
        assertComputed("SELECT k, s, sum(v), count(*)" + from + " GROUP BY 1, 2");
        QueryResult off = client().withSession("eyrie.fragment_result_cache_subsumption_enabled", "false").execute("SELECT k, sum(v)" + from
                + " GROUP BY 1");
        assertThat(List.of(sum(off, SUBSUMED), sum(off, MISSES))).as("off").containsExactly(0L, (long) FILES);
        String coarser = "SELECT s, sum(v)" + from + " GROUP BY 1";
        for (int i = 0; i < 2; i++) {
            QueryResult readOnly = client().withSession("eyrie.fragment_cache_mode", "READ_ONLY").execute(coarser);
            Rows.assertSameRows(readOnly, alone().execute(coarser));
            assertThat(List.of(sum(readOnly, SUBSUMED), sum(readOnly, MISSES))).as("nothing is recorded").containsExactly((long) FILES, 0L);
        }
        QueryResult dry = client().withSession("eyrie.fragment_cache_mode", "DRY_RUN").execute(coarser);
        assertThat(client().execute("SELECT sum(element_at(misses_by_reason, 'dry_run')) FROM cache.queries WHERE layer = 'fragment' AND query_id = '"
                + dry.queryId() + "'").onlyValue()).as("would be hits").isEqualTo((long) FILES);
        QueryResult found = assertSubsumed(coarser);
        assertThat(client().execute("SELECT sum(hits), sum(misses) FROM cache.queries WHERE layer = 'fragment' AND query_id = '" + found.queryId()
                + "'")
                .rows()).hasToString("[[3, 0]]");
    }

    @Test
    void resultsAboveJoinsAnswerCoarserQuestions()
    {
        String from = " FROM t_orc JOIN names USING (k) WHERE v < 950";
        QueryResult finer = client().execute("SELECT name, kind, c, count(*), sum(v), max(kind), max(name)" + from + " GROUP BY 1, 2, 3");
        assertThat(sum(finer, "eyrieFragmentJoins")).as("joined").isEqualTo(1);
        for (String coarser : List.of(
                "SELECT kind, name, count(*), sum(v)" + from + " GROUP BY 1, 2",
                "SELECT sum(v), max(kind), max(name)" + from)) {
            QueryResult result = client().execute(coarser);
            Rows.assertSameRows(result, alone().execute(coarser));
            assertThat(List.of(sum(result, SUBSUMED), sum(result, MISSES))).as(coarser).containsExactly((long) FILES, 0L);
        }
    }

    private void assertComputed(String sql)
    {
        QueryResult result = client().execute(sql);
        Rows.assertSameRows(result, alone().execute(sql));
        assertThat(List.of(sum(result, HITS), sum(result, MISSES))).as("hits, misses of %s", sql).containsExactly(0L, (long) FILES);
    }

    private QueryResult assertSubsumed(String sql)
    {
        QueryResult stock = alone().execute(sql);
        QueryResult first = client().execute(sql);
        Rows.assertSameRows(first, stock);
        assertThat(sum(first, SUBSUMED)).as("splits whose groups are merged: %s", sql).isPositive().isEqualTo(sum(first, HITS));
        assertThat(List.of(sum(first, MISSES), sum(first, "eyrieDataCacheReads"), sum(first, "eyrieDataRemoteReads"))).as("misses, reads of %s", sql)
                .containsOnly(0L);
        QueryResult again = client().execute(sql);
        Rows.assertSameRows(again, stock);
        assertThat(List.of(sum(again, SUBSUMED), sum(again, HITS))).as("again: %s", sql).containsExactly(0L, sum(first, HITS));
        return first;
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
