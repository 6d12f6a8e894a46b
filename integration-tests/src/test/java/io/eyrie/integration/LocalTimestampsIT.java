// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
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
import java.util.Locale;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests fragment results and what statistics prove in a cluster with {@code deprecated.legacy-timestamp=false}, the default of later Presto releases:
 * a timestamp is a local time, not a moment, so a cast to a moment depends on the session's zone and its daylight saving. Answers are those of
 * Presto's own Hive connector.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocalTimestampsIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final String SCHEMA = "local_timestamps";
    private static final List<String> FORMATS = List.of("orc", "parquet", "dwrf", "textfile");
    // the second changes its clocks within the tables' days
    private static final List<String> ZONES = List.of("UTC", "America/New_York");

    // one node, because no test here depends on which node runs a split
    private final Lake lake = Lake.builder(Checkout.find())
            .name("local-timestamps")
            .workers(0)
            .config("deprecated.legacy-timestamp", "false")
            .property("fragment-result-cache.enabled", "true")
            .plugin("hive-stock", Checkout.find().stockPlugin())
            .catalog(BesideStock.STOCK, BesideStock.stockCatalog())
            .start();

    /* Two weeks, a file each day, around the nights when New York's clocks skip an hour, and when they repeat one. */
    @BeforeAll
    void createTables()
    {
        client().execute("CREATE SCHEMA " + SCHEMA);
        for (String format : FORMATS) {
            lake.createTable(SCHEMA, "days_" + format, "v bigint, t timestamp, ds varchar", "format = '" + format
                    + "', partitioned_by = ARRAY['ds']");
            client().withSession("task_writer_count", "1").withSession("eyrie.parquet_optimized_writer_enabled", "true").execute("INSERT INTO days_"
                    + format
                    + " SELECT v, first + day * INTERVAL '1' DAY + v * INTERVAL '15' MINUTE, ds || cast(day AS varchar)"
                    + " FROM (VALUES (TIMESTAMP '2021-03-11 00:00:00', 'spring-'), (TIMESTAMP '2021-11-04 00:00:00', 'autumn-')) AS f(first, ds),"
                    + " UNNEST(sequence(0, 6)) AS d(day), UNNEST(sequence(0, 95)) AS r(v)"
                    + " UNION ALL SELECT v, if(v % 2 = 0, TIMESTAMP '2021-03-14 02:30:00'), 'holes' FROM UNNEST(sequence(0, 9)) AS r(v)");
        }
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "t >= TIMESTAMP '2021-03-14 02:00:00' AND t < TIMESTAMP '2021-03-14 03:00:00'",
            "t BETWEEN TIMESTAMP '2021-11-07 00:00:00' AND TIMESTAMP '2021-11-08 00:00:00'",
            "t < TIMESTAMP '2021-03-13 12:00:00' OR t IS NULL",
            "t IN (TIMESTAMP '2021-03-14 02:30:00', TIMESTAMP '2021-11-07 01:30:00')",
            "t > TIMESTAMP '2021-03-14 03:30:00 America/New_York'",
            "t <= TIMESTAMP '2021-11-07 01:30:00 UTC'",
            "cast(t AS timestamp with time zone) BETWEEN TIMESTAMP '2021-03-14 05:00:00 UTC' AND TIMESTAMP '2021-03-15 06:00:00 UTC'",
            "t >= DATE '2021-11-07'",
            "cast(t AS date) = DATE '2021-03-14'",
            "date(t) BETWEEN DATE '2021-11-06' AND DATE '2021-11-08'",
            "date_trunc('day', t) = TIMESTAMP '2021-11-07 00:00:00' AND hour(t) < 3",
            "t < now() - INTERVAL '30' DAY",
            "t > now() - INTERVAL '3000' DAY AND t < localtimestamp",
    })
    void predicatesOverDaysWhenClocksChange(String predicate)
    {
        for (String format : FORMATS) {
            for (String zone : zones(predicate, format)) {
                // texts, because JDBC's client cannot parse an hour that its zone skips
                assertAnswersArePrestos("SELECT count(*), sum(v), cast(min(t) AS varchar), cast(max(t) AS varchar), count(t) FROM days_" + format
                        + " WHERE " + predicate, zone);
            }
        }
    }

    /* The short form takes each zone with two of the four formats. */
    private static List<String> zones(String predicate, String format)
    {
        int first = predicate.length() + FORMATS.indexOf(format);
        return STRESS ? ZONES : List.of(ZONES.get(first % ZONES.size()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT cast(t AS timestamp with time zone), count(*) FROM %s WHERE ds IN ('spring-3', 'autumn-3') GROUP BY 1",
            "SELECT cast(t AS varchar), to_unixtime(t), v FROM %s WHERE ds LIKE '%%-3' AND v < 20",
            "SELECT date(t), hour(t), max(v) FROM %s GROUP BY 1, 2",
    })
    void zoneOfTheSessionIsPartOfTheResult(String sql)
    {
        for (String format : FORMATS) {
            for (String zone : ZONES) {
                assertAnswersArePrestos(String.format(Locale.ROOT, sql, "days_" + format), zone);
            }
        }
    }

    /* Of these formats, only Parquet has statistics of timestamps. */
    @Test
    void windowThatMovesComputesTheNewDays()
    {
        String window = "SELECT count(*), max(v), min(t) FROM days_parquet"
                + " WHERE ds LIKE 'spring-%%' AND t >= TIMESTAMP '2021-03-%d 00:00:00' AND t < TIMESTAMP '2021-03-%d 00:00:00'";
        String first = String.format(Locale.ROOT, window, 11, 15);
        Rows.assertSameRows(client().execute(first), stock().execute(first));
        String moved = String.format(Locale.ROOT, window, 12, 16);
        QueryResult second = client().execute(moved);
        Rows.assertSameRows(second, stock().execute(moved));
        assertThat(List.of(metric(second, "eyrieFragmentHits"), metric(second, "eyrieFragmentMisses"), metric(second, "eyrieFragmentPruned")))
                .as("hits, misses, pruned")
                .containsExactly(3L, 1L, 3L);
    }

    @Test
    void resultOfOneMeaningIsServedForTheOther()
    {
        String sql = "SELECT cast(t AS varchar), count(*) FROM days_orc WHERE v = 10 GROUP BY 1";
        QueryResult local = client().withTimeZone("Asia/Kolkata").execute(sql);
        PrestoClient legacy = client().withTimeZone("Asia/Kolkata").withSession("legacy_timestamp", "true");
        QueryResult moments = legacy.execute(sql);
        assertThat(metric(moments, "eyrieFragmentHits")).as("results of the other meaning").isZero();
        assertThat(moments.rows()).as("the meanings differ in this zone").doesNotContainAnyElementsOf(local.rows());
        Rows.assertSameRows(moments, stock().withTimeZone("Asia/Kolkata").withSession("legacy_timestamp", "true").execute(sql));
        Rows.assertSameRows(client().withTimeZone("Asia/Kolkata").execute(sql), local);
    }

    /* Cold and warm; a predicate that follows the clock is computed again. */
    private void assertAnswersArePrestos(String sql, String zone)
    {
        QueryResult expected = stock().withTimeZone(zone).execute(sql);
        QueryResult cold = client().withTimeZone(zone).execute(sql);
        QueryResult warm = client().withTimeZone(zone).execute(sql);
        assertThat(cold.rows()).as("%s in %s", sql, zone).containsExactlyInAnyOrderElementsOf(expected.rows());
        assertThat(warm.rows()).as("again: %s in %s", sql, zone).containsExactlyInAnyOrderElementsOf(expected.rows());
        if (!sql.contains("now()")) {
            assertThat(metric(warm, "eyrieFragmentHits") + metric(warm, "eyrieFragmentPruned")).as("served or excluded: %s in %s", sql, zone)
                    .isPositive();
            assertThat(metric(warm, "eyrieFragmentMisses")).as("computed again: %s in %s", sql, zone).isZero();
        }
    }

    private long metric(QueryResult result, String name)
    {
        return client().statistics(result).metric(name).sum();
    }

    private PrestoClient client()
    {
        return lake.client(SCHEMA);
    }

    private PrestoClient stock()
    {
        return lake.presto().client(BesideStock.STOCK, SCHEMA);
    }
}
