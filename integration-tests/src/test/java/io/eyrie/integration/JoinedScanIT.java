// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.s3.S3Object;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests joins below aggregations that become one scan: the answers of Presto's own plans, results that are served, and what makes them stale. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JoinedScanIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final String SCHEMA = "joined";
    private static final List<String> FORMATS = List.of("orc", "parquet");
    private static final String JOINS = "eyrieFragmentJoins";
    private static final String HITS = "eyrieFragmentHits";
    private static final String MISSES = "eyrieFragmentMisses";
    private static final Set<Integer> JOINED_TPCH = Set.of(2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20);
    private static final String KEYS = "k bigint, nk bigint, d double, r real, c char(3), s varchar, e decimal(5,1), f decimal(20,2), dt date, ts timestamp,"
            + " b boolean, i integer, bin varbinary, arr array(bigint), n varchar";

    private final Lake lake = Lake.builder(Checkout.find())
            .name("joined")
            // one node, because no test here depends on which node runs a split
            .workers(0)
            // with the default of 16 threads for each part of a plan, all but one are idle
            .config("task.concurrency", "2")
            .property("fragment-result-cache.enabled", "true")
            .property("fragment-result-cache.joined.admission", "always")
            .property("fragment-result-cache.joined.listing-time", "60s")
            // tables of 2 MB can be a build side
            .property("fragment-result-cache.joined.max-build-size", "8MB")
            .catalog("impatient", Map.of("fragment-result-cache.enabled", "true", "fragment-result-cache.joined.admission", "always",
                    "fragment-result-cache.joined.listing-time", "1ms"))
            .start();
    private final Map<Integer, Plain> plainTpch = new TreeMap<>();

    @BeforeAll
    void createTables()
    {
        lake.createTpchTables(SCHEMA, 0.01, "ORC", false, (table, rows) -> {});
        for (String format : FORMATS) {
            client().execute("CREATE SCHEMA joined_" + format);
            table(format, "f", KEYS, "SELECT " + keys("k", "k % 10", "if(k % 7 = 0, NULL, k % 10)") + ", cast(k AS varchar)"
                    + " FROM UNNEST(sequence(1, 5000)) AS t(k)");
            table(format, "d", KEYS, "SELECT " + keys("k", "k", "if(k = 4, NULL, k)") + ", 'name' || cast(k AS varchar)"
                    + " FROM UNNEST(sequence(0, 6)) AS t(k)");
            table(format, "dd", KEYS, "SELECT * FROM d UNION ALL SELECT * FROM d WHERE k < 3");
            table(format, "none", KEYS, "SELECT * FROM d WHERE k < 0");
            table(format, "nulls", "nk bigint, n varchar", "SELECT cast(NULL AS bigint), 'x'");
            for (String table : List.of("f", "d")) {
                lake.createTable("joined_" + format, "b" + table, "k bigint, nk bigint, n varchar, p varchar", "format = '" + format
                        + "', partitioned_by = ARRAY['p'], bucketed_by = ARRAY['k'], bucket_count = 3");
                lake.client("joined_" + format).execute("INSERT INTO b" + table + " SELECT k, nk, n, 'x' FROM " + table);
            }
        }
    }

    private static String keys(String k, String digit, String nullable)
    {
        return String.join(", ", k, nullable,
                "CASE " + digit + " WHEN 0 THEN nan() WHEN 1 THEN 0e0 WHEN 2 THEN -0e0 WHEN 3 THEN NULL ELSE 1.5e0 END",
                "CASE " + digit + " WHEN 0 THEN real 'NaN' WHEN 1 THEN real '0' WHEN 2 THEN real '-0' WHEN 3 THEN NULL ELSE real '1.5' END",
                "cast(if(" + digit + " % 3 = 0, 'a', if(" + digit + " % 3 = 1, 'a ', 'b')) AS char(3))",
                "if(" + digit + " % 3 = 0, 'a', if(" + digit + " % 3 = 1, 'a ', 'b'))",
                "cast(" + digit + " AS decimal(5,1))", "cast(" + digit + " AS decimal(20,2))",
                "date_add('day', " + digit + ", date '2020-01-01')", "timestamp '2020-01-01 00:00:00' + interval '1' hour * (" + digit + ")",
                digit + " % 2 = 0", "cast(" + digit + " AS integer)", "cast(cast(" + digit + " AS varchar) AS varbinary)", "ARRAY[" + digit
                        + " % 3]");
    }

    private void table(String format, String name, String columns, String rows)
    {
        lake.createTable("joined_" + format, name, columns, "format = '" + format + "'");
        lake.client("joined_" + format).withSession("task_writer_count", "1").execute("INSERT INTO " + name + " " + rows);
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    void tpchHasTheAnswersAndInputsOfPrestosPlans()
    {
        int rounds = STRESS ? 3 : 2;
        for (int round = 0; round < rounds; round++) {
            if (round == rounds - 1) {
                lake.presto().restart();
            }
            for (int query = 1; query <= TpchQueries.COUNT; query++) {
                String name = TpchQueries.name(query) + " in round " + round;
                QueryResult joined = client().execute(TpchQueries.sql(query));
                Rows.assertSameRows(joined, plain(query).result());
                assertThat(inputs(joined)).as("what %s reads", name).isEqualTo(plain(query).inputs());
                assertThat(sum(joined, JOINS) > 0).as("%s is joined", name).isEqualTo(JOINED_TPCH.contains(query));
                if (round > 0 && JOINED_TPCH.contains(query)) {
                    assertThat(sum(joined, HITS)).as("splits of %s that are served", name).isPositive();
                    assertThat(sum(joined, MISSES)).as("splits of %s that are computed", name).isZero();
                }
            }
        }
        assertThat((String) client().execute("EXPLAIN " + TpchQueries.sql(3)).onlyValue())
                .contains("JOIN joined.orders ON", "JOIN joined.customer ON");
    }

    /** What a query of TPC-H returns without joined scans, and the columns that it reads. */
    private record Plain(QueryResult result, Map<String, Set<String>> inputs)
    {}

    private Plain plain(int query)
    {
        return plainTpch.computeIfAbsent(query, number -> {
            QueryResult result = plain().execute(TpchQueries.sql(number));
            assertThat(sum(result, JOINS)).as("joins of the plain plan").isZero();
            return new Plain(result, inputs(result));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT d.n, count(*), sum(f.k) FROM f JOIN d ON f.nk = d.nk GROUP BY 1",
            "SELECT dd.n, count(*), sum(f.k) FROM f JOIN dd ON f.nk = dd.nk GROUP BY 1",
            "SELECT dd.n, count(*), sum(f.k) FROM f LEFT JOIN dd ON f.nk = dd.nk GROUP BY 1",
            "SELECT dd.n, count(*), count(dd.k) FROM dd RIGHT JOIN f ON f.nk = dd.nk GROUP BY 1",
            "SELECT count(*), count(x.n) FROM f LEFT JOIN none x ON f.nk = x.nk",
            "SELECT x.n, count(*) FROM f JOIN none x ON f.nk = x.nk GROUP BY 1",
            "SELECT count(*) FROM f JOIN d ON f.nk = d.nk",
            "SELECT d.d, f.d, count(*) FROM f JOIN d ON f.d = d.d GROUP BY 1, 2",
            "SELECT d.r, count(*) FROM f JOIN d ON f.r = d.r GROUP BY 1",
            "SELECT d.d, count(*) FROM f JOIN d ON f.r = d.d GROUP BY 1",
            "SELECT count(*), sum(d.k) FROM f JOIN d ON f.c = d.c",
            "SELECT count(*), sum(d.k) FROM f JOIN d ON f.c = d.s",
            "SELECT count(*), sum(d.k) FROM f JOIN d ON f.s = d.s",
            "SELECT count(*), sum(d.k) FROM f JOIN d ON f.e = d.f",
            "SELECT count(*), sum(d.k) FROM f JOIN d ON f.f = d.k",
            "SELECT count(*), sum(d.k) FROM f JOIN d ON f.dt = d.dt AND f.ts = d.ts AND f.bin = d.bin AND f.arr = d.arr",
            "SELECT count(*), sum(d.k) FROM f JOIN d ON f.b = d.b AND f.i = d.k",
            "SELECT count(*) FROM f WHERE nk IN (SELECT nk FROM d)",
            "SELECT count(*) FROM f WHERE nk NOT IN (SELECT nk FROM d)",
            "SELECT count(*) FROM f WHERE nk NOT IN (SELECT nk FROM d WHERE nk IS NOT NULL)",
            "SELECT count(*) FROM f WHERE nk NOT IN (SELECT nk FROM none)",
            "SELECT count(*) FROM f WHERE nk NOT IN (SELECT nk FROM nulls)",
            "SELECT nk IN (SELECT nk FROM d) x, count(*) FROM f GROUP BY 1",
            "SELECT d IN (SELECT d FROM d) x, count(*) FROM f GROUP BY 1",
            "SELECT c IN (SELECT c FROM d) x, count(*) FROM f GROUP BY 1",
            "SELECT a.n, b.n, count(*) FROM f JOIN d a ON f.nk = a.nk JOIN d b ON f.i = b.k GROUP BY 1, 2",
            "SELECT x.n, count(*) FROM f JOIN (SELECT a.k, b.n FROM d a JOIN dd b ON a.nk = b.nk) x ON f.nk = x.k GROUP BY 1",
            "SELECT count(*), sum(f.k + d.k) FROM f JOIN d ON f.nk = d.nk AND f.k % 3 < d.k",
            "SELECT count(*), sum(x) FROM (SELECT f.k + d.k x FROM f LEFT JOIN d ON f.nk = d.nk) WHERE x > 10",
            "SELECT count(*) FROM f LEFT JOIN d ON f.nk = d.nk WHERE d.n IS NULL",
            "SELECT DISTINCT d.n FROM f JOIN d ON f.nk = d.nk",
            "SELECT n, count(*), sum(c) FROM (SELECT d.n, f.i, count(*) c FROM f JOIN d ON f.nk = d.nk GROUP BY 1, 2) GROUP BY 1",
            "SELECT d.n, sum(f.k) FILTER (WHERE f.b) FROM f JOIN d ON f.nk = d.nk GROUP BY 1 HAVING count(*) > 1",
            "SELECT d.n, count(*) FROM f JOIN d ON f.nk = d.nk GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3",
            "SELECT x.n, (SELECT count(*) FROM f JOIN d ON f.nk = d.nk) FROM d x",
            "SELECT sum(c) FROM (SELECT count(*) c FROM f JOIN d ON f.nk = d.nk UNION ALL SELECT count(*) FROM f JOIN dd ON f.i = dd.k)",
            "SELECT count(*), sum(d.k) FROM f LEFT JOIN d ON f.nk = d.nk AND f.k % 3 < d.k",
            "SELECT count(*), sum(dd.k), count(dd.n) FROM f LEFT JOIN dd ON f.nk = dd.nk AND f.k % 3 < dd.k AND f.b",
            "SELECT dd.n, count(*) FROM dd RIGHT JOIN f ON f.nk = dd.nk AND f.d < dd.d GROUP BY 1",
            "SELECT dd.n, count(*) FROM f LEFT JOIN dd ON f.c = dd.c AND concat(dd.n, f.n) LIKE '%1%' GROUP BY 1",
            "SELECT count(*), count(x.n) FROM f LEFT JOIN none x ON f.nk = x.nk AND f.k < x.k",
            "SELECT count(*), sum(x.s), max(x.a) FROM f JOIN (SELECT nk, sum(k) s, avg(f) a FROM dd GROUP BY nk) x ON f.nk = x.nk",
            "SELECT x.n, count(*) FROM f LEFT JOIN (SELECT c, count(*) n FROM dd GROUP BY c HAVING count(*) > 1) x ON f.c = x.c GROUP BY 1",
            "SELECT count(*), sum(x.n) FROM f JOIN (SELECT d, r, count(*) n FROM dd GROUP BY d, r) x ON f.d = x.d AND f.r = x.r",
            "SELECT count(*), sum(x.n) FROM f JOIN (SELECT e, arr, bin, count(*) n FROM dd GROUP BY e, arr, bin) x ON f.e = x.e AND f.arr = x.arr AND"
                    + " f.bin = x.bin",
            "SELECT count(*), sum(x.n) FROM f JOIN (SELECT a.k, count(*) n FROM d a JOIN dd b ON a.nk = b.nk GROUP BY a.k) x ON f.nk = x.k",
            "SELECT count(*), sum(x.n) FROM f LEFT JOIN (SELECT nk, count(*) n FROM none GROUP BY nk) x ON f.nk = x.nk",
            "SELECT count(*) FROM f JOIN (SELECT DISTINCT nk, c FROM dd) x ON f.nk = x.nk AND f.c = x.c",
            "SELECT count(*) FROM f WHERE nk IN (SELECT nk FROM dd GROUP BY nk HAVING count(*) > 1)",
            "SELECT count(*) FROM f WHERE nk NOT IN (SELECT nk FROM dd GROUP BY nk)",
            "SELECT count(*) FROM f WHERE nk IN (SELECT max(nk) FROM d)",
            "SELECT count(*) FROM f WHERE nk NOT IN (SELECT max(nk) FROM none)",
            "SELECT n FROM d WHERE nk IN (SELECT f.nk FROM f JOIN dd ON f.nk = dd.nk)",
            "SELECT k, nk IN (SELECT f.nk FROM f LEFT JOIN d x ON f.i = x.k) FROM d",
            "SELECT k FROM d WHERE k NOT IN (SELECT f.i + 3 FROM f JOIN d x ON f.nk = x.nk)",
            "SELECT k, d IN (SELECT f.d FROM f JOIN d x ON f.i = x.k WHERE f.d > 0), c IN (SELECT f.c FROM f JOIN d x ON f.i = x.k) FROM d",
            "SELECT n FROM d WHERE k IN (SELECT o.k FROM f o WHERE o.i > (SELECT avg(dd.k) FROM dd WHERE dd.nk = o.nk))",
            "SELECT count(*), sum(k) FROM f o WHERE EXISTS (SELECT 1 FROM dd WHERE dd.nk = o.nk)",
            "SELECT count(*), sum(k) FROM f o WHERE NOT EXISTS (SELECT 1 FROM dd WHERE dd.nk = o.nk)",
            "SELECT count(*), sum(k) FROM f o WHERE EXISTS (SELECT 1 FROM dd WHERE dd.nk = o.nk) OR k % 2 = 0",
            "SELECT count(*), sum(k) FROM f o WHERE EXISTS (SELECT 1 FROM dd WHERE dd.nk = o.nk) <> EXISTS (SELECT 1 FROM dd WHERE dd.k = o.i)",
            "SELECT x.y, count(*), sum(k) FROM f LEFT JOIN (SELECT nk, true y FROM (SELECT DISTINCT nk FROM dd)) x ON f.nk = x.nk GROUP BY 1",
            "SELECT count(*), sum(k) FROM f o WHERE i > (SELECT avg(k) FROM dd WHERE dd.nk = o.nk)",
            "SELECT count(*), sum(f.k) FROM f JOIN (SELECT nk, avg(k) a FROM f GROUP BY nk) x ON f.nk = x.nk WHERE f.k < x.a",
            "SELECT count(*), sum(f.k) FROM f CROSS JOIN (SELECT avg(k) a FROM dd) x WHERE nk > a",
            "SELECT count(*), sum(f.k), max(x.m) FROM f CROSS JOIN (SELECT max(k) m, count(*) rows FROM none) x WHERE rows = 0",
            "SELECT dd.n, count(*) FROM (SELECT max(k) m FROM d) x JOIN f ON f.i < x.m JOIN dd ON f.nk = dd.nk GROUP BY 1",
            "SELECT count(*) FROM f JOIN (SELECT max(k) m FROM d HAVING max(k) > 100) x ON f.k <> x.m",
            "SELECT count(*), sum(x.s) FROM f, (SELECT sum(dd.k) s FROM dd JOIN d ON dd.nk = d.nk) x, (SELECT min(k) m FROM nulls, d) y WHERE f.k > m",
            "SELECT approx_distinct(f.k), approx_percentile(d.k, 0.5), min_by(d.n, f.k), avg(f.e) FROM f JOIN d ON f.nk = d.nk",
            "SELECT f.k, d.n, f.s FROM f JOIN d ON f.nk = d.nk WHERE f.k > 100 ORDER BY d.n DESC, f.k LIMIT 10",
            "SELECT f.k + 1, dd.n FROM f LEFT JOIN dd ON f.nk = dd.nk AND f.k % 3 < dd.k ORDER BY 2 NULLS FIRST, 1 DESC LIMIT 100",
            "SELECT n, count(*) FROM (SELECT d.n, f.k FROM f JOIN d ON f.nk = d.nk ORDER BY f.k LIMIT 500) GROUP BY 1",
            "SELECT f.k, x.a FROM f JOIN (SELECT nk, avg(k) a FROM dd GROUP BY nk) x ON f.nk = x.nk ORDER BY f.k LIMIT 5",
            "SELECT f.k FROM f WHERE nk IN (SELECT nk FROM d) ORDER BY f.d, f.k DESC LIMIT 20",
            "SELECT x.n, count(*), sum(f.k) FROM bf f JOIN d x ON f.nk = x.nk GROUP BY 1",
            "SELECT x.n, f.n, count(*), sum(f.k) FROM bf f JOIN bd x ON f.k = x.k GROUP BY 1, 2",
            "SELECT count(*), sum(f.k), count(x.n) FROM bf f LEFT JOIN bd x ON f.k = x.k AND f.nk < x.nk",
            "SELECT count(*), sum(x.k) FROM f JOIN bd x ON f.nk = x.nk",
            "SELECT f.\"$bucket\", x.\"$bucket\", count(*) FROM bf f JOIN bd x ON f.nk = x.nk GROUP BY 1, 2",
            "SELECT count(*), sum(f.k) FROM bf f JOIN bd x ON f.nk = x.nk WHERE f.\"$bucket\" = 1 AND x.\"$bucket\" IN (0, 2)",
            "SELECT count(*), sum(f.k) FROM bf f JOIN bd x ON f.nk = x.nk WHERE f.k IN (17, 29) AND x.k < 6",
    })
    void joinsHaveTheAnswersOfPrestosPlans(String sql)
    {
        for (String format : formats(sql)) {
            PrestoClient client = lake.client("joined_" + format);
            QueryResult plain = client.withSession("eyrie.fragment_result_cache_joined_admission", "NEVER").execute(sql);
            QueryResult computed = client.execute(sql);
            QueryResult served = client.execute(sql);
            Rows.assertSameRows(computed, plain);
            Rows.assertSameRows(served, plain);
            if (sql.matches(".* LIMIT \\d+")) {
                assertThat(computed.rows()).as("rows in their order").isEqualTo(plain.rows()).isEqualTo(served.rows());
            }
            assertThat(sum(computed, JOINS)).as("joins replaced").isPositive();
            assertThat(sum(served, HITS)).as("splits served").isPositive();
            assertThat(sum(served, MISSES)).as("splits computed again").isZero();
        }
    }

    /* The short form takes one format for each query, about as often ORC as Parquet. */
    private static List<String> formats(String sql)
    {
        return STRESS ? FORMATS : List.of(FORMATS.get(sql.length() % FORMATS.size()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "Shape: SELECT d.n, count(*) FROM joined_orc.f f FULL JOIN joined_orc.d d ON f.nk = d.nk GROUP BY 1",
            "Shape: SELECT count(*), sum(d.k) FROM joined_orc.f f CROSS JOIN joined_orc.d d",
            "Shape: SELECT count(*), sum(f.c) FROM (SELECT nk, count(*) c FROM joined_orc.f GROUP BY nk) f LEFT JOIN joined_orc.d d ON f.nk = d.nk",
            "Shape: SELECT count(*), sum(f.k) FROM joined_orc.f f JOIN (SELECT nk, count(DISTINCT k) x, count(DISTINCT c) y FROM joined_orc.dd GROUP BY nk) d"
                    + " ON f.nk = d.nk WHERE x + y > 1",
            "Shape: SELECT count(*) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk CROSS JOIN (SELECT k FROM joined_orc.dd LIMIT 2) x",
            "Layout: SELECT d.n, count(*) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk WHERE f.k > 3 GROUP BY 1",
            "Expression: SELECT count(*) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk WHERE d.k + random() < 1000",
            "Aggregation: SELECT d.n, array_agg(f.k ORDER BY f.k) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk WHERE f.k < 100 GROUP BY 1",
            "Clock: SELECT count(*) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk WHERE d.ts < now()",
            "Clock: SELECT count(*) FROM joined_orc.d d JOIN joined_orc.f f ON f.nk = d.nk WHERE d.ts < now()",
            "Aggregation: SELECT d.n, sum(f.k) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk GROUP BY 1",
    })
    void whatIsRefusedRunsAsPlanned(String refused)
    {
        String sql = refused.substring(refused.indexOf(':') + 1);
        String reason = refused.substring(0, refused.indexOf(':'));
        // without partial aggregations, joins would be computed by each query
        PrestoClient client = sql.contains("sum(f.k)")
                ? client().withSession("partial_aggregation_strategy", "NEVER")
                : client().withSession("eyrie.pushdown_filter_enabled", String.valueOf(reason.equals("Layout")));
        QueryResult result = client.execute(sql);
        Rows.assertSameRows(result, plain().execute(sql));
        assertThat(sum(result, JOINS)).isZero();
        assertThat(sum(result, "eyrieFragmentJoinsRefused" + reason)).as("the reason").isPositive();
        assertThat(client().execute("SELECT reason FROM cache.queries CROSS JOIN UNNEST(misses_by_reason) AS t(reason, count) WHERE query_id = '"
                + result.queryId() + "'").strings(0)).contains(reason.equals("Clock") ? "clock" : "join_refused");
    }

    @Test
    void joinsAreReplacedWhenTheyAreSeenAgain()
    {
        PrestoClient client = client().withSession("eyrie.fragment_result_cache_joined_admission", "SEEN_TWICE");
        String sql = "SELECT d.n, max(f.k) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk WHERE f.k > 17 GROUP BY 1";
        QueryResult first = client.execute(sql);
        assertThat(sum(first, JOINS)).isZero();
        assertThat(sum(first, "eyrieFragmentJoinsRefusedSeenOnce")).isEqualTo(1);
        QueryResult second = client.execute(sql);
        assertThat(sum(second, JOINS)).isEqualTo(1);
        Rows.assertSameRows(second, first);
        assertThatThrownBy(() -> client().withSession("eyrie.fragment_result_cache_joined_admission", "OFTEN").execute(sql))
                .isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("NEVER, SEEN_TWICE or ALWAYS");
    }

    @Test
    void resultsWithRowsOfATableThatIsNotCachedAreNotStored()
    {
        table("orc", "staff", "k bigint, n varchar", "VALUES (0, 'zero'), (1, 'one')");
        String sql = "SELECT s.n, count(*) FROM joined_orc.f f JOIN joined_orc.staff s ON f.nk = s.k GROUP BY 1";
        client().execute("CALL system.deny_in_cache('joined_orc', 'staff')");
        QueryResult denied = client().execute(sql);
        Rows.assertSameRows(denied, plain().execute(sql));
        assertThat(sum(denied, JOINS)).isZero();
        assertThat(sum(denied, "eyrieFragmentJoinsRefusedDenied")).isEqualTo(1);
        client().execute("CALL system.forget_cache_rule('joined_orc', 'staff')");
        assertServed(sql, 0, 1);
    }

    @Test
    void theLargestTableDependsOnThePartitions()
    {
        String rows = "SELECT x + 10000 * y, to_hex(md5(to_utf8(cast(x + 10000 * y AS varchar))))%s"
                + " FROM UNNEST(sequence(1, 10000)) AS t(x) CROSS JOIN UNNEST(sequence(0, %d)) AS u(y)";
        table("orc", "places", "k bigint, n varchar", String.format(Locale.ROOT, rows, "", 6));
        lake.createTable("joined_orc", "stays", "k bigint, n varchar, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        for (int day = 1; day <= 5; day++) {
            lake.client("joined_orc").execute("INSERT INTO stays " + String.format(Locale.ROOT, rows, ", '" + day + "'", 3));
        }
        String sql = "SELECT count(*), max(v.n), max(p.n) FROM joined_orc.stays v JOIN joined_orc.places p ON v.k = p.k";
        assertThat(sum(client().execute(sql + " WHERE ds = '1'"), JOINS)).isEqualTo(1);
        QueryResult all = client().execute(sql);
        assertThat(sum(all, JOINS)).as("stays of all days are larger than all places").isEqualTo(1);
        Rows.assertSameRows(all, plain().execute(sql));
    }

    @Test
    void aLargeResultOfJoinsIsStoredWhenItIsFirstComputed()
    {
        String sql = "SELECT l_orderkey, l_linenumber, p_name, count(*) FROM lineitem JOIN part ON l_partkey = p_partkey GROUP BY 1, 2, 3";
        QueryResult computed = client().execute(sql);
        assertThat(sum(computed, JOINS)).isEqualTo(1);
        assertThat(sum(computed, MISSES)).isPositive();
        QueryResult served = client().execute(sql);
        assertThat(sum(served, MISSES)).isZero();
        assertThat(sum(served, HITS)).isPositive();
        Rows.assertSameRows(served, plain().execute(sql));
    }

    @Test
    void aNewPartitionOfTheFactComputesItsSplitsOnly()
    {
        lake.createTable("joined_orc", "days", "k bigint, v bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        table("orc", "names", "k bigint, n varchar", "VALUES (0, 'zero'), (1, 'one')");
        // values that do not compress, so that one day is larger than all names: the fact is the largest table
        String insert = "INSERT INTO days SELECT x %% 3, x * x %% 10007, '2021-01-0%1$d' FROM UNNEST(sequence(%1$d, 5000)) AS t(x)";
        PrestoClient writer = lake.client("joined_orc").withSession("task_writer_count", "1");
        for (int day = 1; day <= 3; day++) {
            writer.execute(String.format(Locale.ROOT, insert, day));
        }
        String sql = "SELECT n, count(*), sum(v) FROM joined_orc.days days JOIN joined_orc.names names ON days.k = names.k GROUP BY 1";
        assertServed(sql, 0, 3);
        assertServed(sql, 3, 0);
        writer.execute(String.format(Locale.ROOT, insert, 4));
        assertServed(sql, 3, 1);
        writer.execute("INSERT INTO names VALUES (2, 'two'), (1, 'uno')");
        assertServed(sql, 0, 4);
        assertServed(sql, 4, 0);
        // the other key's rows, in a file of the same length
        overwriteWithAnother("names");
        assertServed(sql, 0, 4);
        // a window over partitions that moves
        String window = sql.replace(" GROUP", " WHERE ds >= '2021-01-0%d' GROUP");
        assertServed(String.format(Locale.ROOT, window, 2), 3, 0);
        assertServed(String.format(Locale.ROOT, window, 4), 1, 0);
    }

    @Test
    void aWindowOfDaysThatMovesIsSeenTwiceAndComputesItsEdges()
    {
        lake.createTable("joined_orc", "orders", "k bigint, v bigint, day bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        table("orc", "customers", "k bigint, n varchar", "VALUES (0, 'zero'), (1, 'one')");
        // ten days in each of five partitions
        lake.client("joined_orc").withSession("task_writer_count", "1").execute("INSERT INTO orders SELECT x % 3, x * x % 10007, x / 1000,"
                + " cast(x / 10000 AS varchar) FROM (SELECT 10 * y + z x FROM UNNEST(sequence(0, 4999)) AS t(y), UNNEST(sequence(0, 9)) AS u(z))");
        PrestoClient client = client().withSession("eyrie.fragment_result_cache_joined_admission", "SEEN_TWICE");
        String window = "SELECT n, count(*), sum(v) FROM joined_orc.orders o JOIN joined_orc.customers c ON o.k = c.k"
                + " WHERE o.day BETWEEN %d AND %d GROUP BY 1";
        assertEdgesAreComputed(client, window);
        // another condition is another plan
        assertThat(sum(client.execute(String.format(Locale.ROOT, window.replace("WHERE", "WHERE o.v %% 7 = 1 AND"), 1, 30)), JOINS)).isZero();
        assertThat(sum(client.execute(String.format(Locale.ROOT, window.replace("BETWEEN %d AND", "="), 12)), JOINS)).as("no range").isZero();
    }

    /* A window of 36 days over five files with ten days each, which moves by a day. */
    private void assertEdgesAreComputed(PrestoClient client, String window)
    {
        for (List<Integer> run : List.of(List.of(5, 0, 0, 0), List.of(6, 1, 0, 5), List.of(7, 1, 3, 2), List.of(8, 1, 3, 2))) {
            assertWindow(client, String.format(Locale.ROOT, window, run.get(0), 35 + run.get(0)), run.subList(1, 4));
        }
    }

    /** @param expected the number of joined scans, of splits that are served, and of splits that are computed */
    private void assertWindow(PrestoClient client, String sql, List<Integer> expected)
    {
        QueryResult result = client.execute(sql);
        Rows.assertSameRows(result, plain().execute(sql));
        assertThat(sum(result, JOINS)).as("joined scans of %s", sql).isEqualTo((long) expected.get(0));
        if (expected.get(0) > 0) {
            assertThat(List.of(sum(result, HITS), sum(result, MISSES))).as("splits served and computed, %s", sql)
                    .containsExactly((long) expected.get(1), (long) expected.get(2));
        }
    }

    /* The engine derives the same window for the other tables, whose rows are part of the keys of all results. */
    @Test
    void aWindowOnTheKeyOfAJoinMovesLikeAnyOther()
    {
        lake.createTable("joined_orc", "trips", "v bigint, day bigint, dt date, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        lake.client("joined_orc").withSession("task_writer_count", "1").execute("INSERT INTO trips SELECT x * x % 10007, x / 1000,"
                + " date_add('day', x / 1000, date '2020-01-01'), cast(x / 10000 AS varchar) FROM (SELECT 10 * y + z x"
                + " FROM UNNEST(sequence(0, 4999)) AS t(y), UNNEST(sequence(0, 9)) AS u(z))");
        table("orc", "calendar", "day bigint, dt date, ds varchar, n varchar", "SELECT x, date_add('day', x, date '2020-01-01'),"
                + " cast(x AS varchar), 'day ' || cast(x % 7 AS varchar) FROM UNNEST(sequence(0, 60)) AS t(x)");
        PrestoClient client = client().withSession("eyrie.fragment_result_cache_joined_admission", "SEEN_TWICE");
        String window = "SELECT n, count(*), sum(v) FROM joined_orc.trips t JOIN joined_orc.calendar c ON t.day = c.day"
                + " WHERE t.day BETWEEN %d AND %d GROUP BY 1";
        assertEdgesAreComputed(client, window);
        assertEdgesAreComputed(client, window.replace("JOIN", "LEFT JOIN"));
        assertEdgesAreComputed(client, window.replace("t.day BETWEEN", "c.day BETWEEN").replace("count(*)", "count(t.day)"));
        assertEdgesAreComputed(client, window.replace(" WHERE", " JOIN joined_orc.calendar d ON d.day = c.day WHERE").replace("sum(v)", "max(d.n)")
                .replace("SELECT n", "SELECT c.n"));
        String partitions = "SELECT n, count(*), sum(v) FROM joined_orc.trips t JOIN joined_orc.calendar c ON t.ds = c.ds"
                + " WHERE t.ds BETWEEN '%d' AND '%d' GROUP BY 1";
        assertWindow(client, String.format(Locale.ROOT, partitions, 0, 2), List.of(0, 0, 0));
        assertWindow(client, String.format(Locale.ROOT, partitions, 1, 3), List.of(1, 0, 3));
        assertWindow(client, String.format(Locale.ROOT, partitions, 2, 4), List.of(1, 2, 1));
        String upToNow = "SELECT n, count(*), sum(v) FROM joined_orc.trips t JOIN joined_orc.calendar c ON t.dt = c.dt"
                + " WHERE t.dt >= current_date - interval '10000' day GROUP BY 1";
        assertServed(upToNow, 0, 5);
        assertServed(upToNow, 5, 0);
    }

    @Test
    void aWindowOnTheKeyOfAJoinChangesNoAnswer()
    {
        table("orc", "rides", "v bigint, day bigint", "SELECT x, x / 100 FROM UNNEST(sequence(0, 4999)) AS t(x)");
        table("orc", "rests", "day bigint, w bigint", "SELECT if(x = 3, NULL, x), x % 7 FROM UNNEST(sequence(0, 40, 2)) AS t(x)"
                + " UNION ALL SELECT NULL, 2 UNION ALL SELECT 41, 2 UNION ALL SELECT 3, 2");
        String from = " FROM joined_orc.rides r ";
        String window = " WHERE r.day BETWEEN 6 AND 41";
        for (String sql : List.of(
                // with NULL among the values, no day is certainly not among them
                "SELECT count(*), sum(v)" + from + window + " AND r.day NOT IN (SELECT day FROM joined_orc.rests WHERE w > 1)",
                "SELECT count(*), sum(v)" + from + window + " AND r.day IN (SELECT day FROM joined_orc.rests WHERE w > 1)",
                // fails for the day before the window
                "SELECT sum(q), count(*)" + from + "LEFT JOIN (SELECT day, w / (day - 3) q FROM joined_orc.rests) s ON r.day = s.day" + window,
                "SELECT sum(w), count(*)" + from + "JOIN (SELECT day, w FROM joined_orc.rests WHERE w / (day - 3) >= 0) s ON r.day = s.day" + window,
                "SELECT sum(c), count(*)" + from + "JOIN (SELECT day, count(*) c FROM joined_orc.rests GROUP BY day) s ON r.day = s.day" + window,
                "SELECT sum(v), count(w)" + from + "RIGHT JOIN joined_orc.rests s ON r.day = s.day WHERE s.day > 6",
                "SELECT sum(v), count(w)" + from + "LEFT JOIN joined_orc.rests s ON r.day = s.day AND s.w > r.v" + window)) {
            Rows.assertSameRows(client().execute(sql), plain().execute(sql));
            Rows.assertSameRows(client().execute(sql), plain().execute(sql));
        }
    }

    @Test
    void aChangeComputesTheSplitsThatItConcerns()
    {
        lake.createTable("joined_orc", "weeks", "k bigint, v bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        labels("labels", "first");
        IntStream.rangeClosed(1, 3).forEach(this::writeWeek);
        String sql = "SELECT n, count(*), sum(v) FROM joined_orc.weeks w JOIN joined_orc.labels l ON w.k = l.k GROUP BY 1";
        assertServed(sql, 0, 3);
        assertServed(sql, 3, 0);
        overwrite(file("weeks/ds=1"), file("weeks/ds=2"));
        assertServed(sql, 2, 1);
        labels("relabeled", "second");
        overwrite(file("labels"), file("relabeled"));
        assertServed(sql, 0, 3);
        // the same rows in another file and order
        table("orc", "rewritten", "k bigint, n varchar", "SELECT * FROM labels ORDER BY k DESC");
        overwrite(file("labels"), file("rewritten"));
        assertServed(sql, 3, 0);
        lake.client("joined_orc").execute("INSERT INTO labels VALUES (1, 'another of its key')");
        writeWeek(4);
        assertServed(sql, 0, 4);
        assertServed(sql, 4, 0);
        lake.presto().restart();
        assertServed(sql, 4, 0);
    }

    @Test
    void whatIsKnownOfADimensionOutlivesAnInvalidationAndARestart()
    {
        lake.createTable("joined_orc", "visits", "k bigint, v bigint", "format = 'ORC'");
        lake.client("joined_orc").withSession("task_writer_count", "1").execute(
                "INSERT INTO visits SELECT x % 997, x * x % 10007 FROM UNNEST(sequence(1, 9000)) AS t(x)");
        table("orc", "guests", "k bigint, n varchar", "SELECT k, 'guest ' || cast(k % 10 AS varchar) FROM UNNEST(sequence(0, 900)) AS t(k)");
        String sql = "SELECT n, count(*), sum(v) FROM joined_orc.visits v JOIN joined_orc.guests g ON v.k = g.k WHERE g.k % 7 < 5 GROUP BY 1";
        // the leaf of the dimension is computed, too
        assertServed(sql, 0, 2);
        assertServed(sql, 1, 0);
        client().execute("CALL system.invalidate_cache('joined_orc', 'guests')");
        client().execute("CALL system.invalidate_cache('joined_orc', 'visits')");
        assertServed(sql, 0, 2);
        lake.presto().restart();
        // the leaf of the dimension is not read
        assertServed(sql, 1, 0);
    }

    /* Its files identify the dimension in the keys of results, which belong to the fact. */
    @Test
    void anInvalidatedTableIsNotServedFromJoinedResults()
    {
        lake.createTable("joined_orc", "prices", "k bigint, v bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        lake.client("joined_orc").withSession("task_writer_count", "1").execute("INSERT INTO prices SELECT k % 10, k, cast(k % 2 AS varchar)"
                + " FROM UNNEST(sequence(0, 99)) AS t(k)");
        String sql = "SELECT count(*), sum(f.k) FROM joined_orc.f f JOIN (SELECT k, avg(v) a FROM joined_orc.prices GROUP BY k) p ON f.nk = p.k"
                + " WHERE f.k > p.a";
        for (String invalidation : List.of("'joined_orc', 'prices'", "'joined_orc', 'prices', 'ds=1'")) {
            client().execute(sql);
            QueryResult served = client().execute(sql);
            assertThat(List.of(sum(served, JOINS), sum(served, HITS), sum(served, MISSES))).containsExactly(1L, 1L, 0L);
            client().execute("CALL system.invalidate_cache(" + invalidation + ")");
            QueryResult computed = client().execute(sql);
            assertThat(sum(computed, MISSES)).as("splits computed after the invalidation of %s", invalidation).isPositive();
            Rows.assertSameRows(computed, served);
        }
        lake.presto().restart();
        assertThat(sum(client().execute(sql), HITS)).as("splits served after a restart").isEqualTo(1);
    }

    @Test
    void joinsWhoseTablesAreNotListedInTimeStayAsPrestoPlannedThem()
    {
        String sql = "SELECT n_name, count(*) FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY 1";
        QueryResult result = lake.presto().client("impatient", SCHEMA).execute(sql);
        Rows.assertSameRows(result, plain().execute(sql));
        assertThat(sum(result, JOINS + "RefusedNotListed")).isEqualTo(1);
        assertThat(sum(result, JOINS)).isZero();
    }

    private void labels(String table, String text)
    {
        table("orc", table, "k bigint, n varchar", "SELECT k, '" + text + "' || cast(k % 10 AS varchar) FROM UNNEST(sequence(0, 900)) AS t(k)");
    }

    private void writeWeek(int week)
    {
        lake.client("joined_orc").withSession("task_writer_count", "1").execute("INSERT INTO weeks SELECT x * " + week
                + " % 997, x * x % 10007, '" + week + "' FROM UNNEST(sequence(1, 9000)) AS t(x)");
    }

    private String file(String table)
    {
        List<S3Object> files = lake.s3().client().list(Lake.BUCKET, "joined_orc/" + table + "/").stream().filter(file -> file.size() > 0).toList();
        assertThat(files).as("files of %s", table).hasSize(1);
        return files.get(0).key();
    }

    /* As another writer would. */
    private void overwrite(String key, String with)
    {
        lake.s3().client().put(Lake.BUCKET, key, lake.s3().client().get(Lake.BUCKET, with));
    }

    /* Removes a file of a table, as another writer would. */
    private void overwriteWithAnother(String table)
    {
        List<S3Object> files = lake.s3().client().list(Lake.BUCKET, "joined_orc/" + table).stream().filter(file -> file.size() > 0).toList();
        assertThat(files).hasSize(2);
        lake.s3().client().put(Lake.BUCKET, files.get(0).key(), lake.s3().client().get(Lake.BUCKET, files.get(1).key()));
    }

    private void assertServed(String sql, long hits, long misses)
    {
        QueryResult result = client().execute(sql);
        Rows.assertSameRows(result, plain().execute(sql));
        assertThat(sum(result, JOINS)).isEqualTo(1);
        // the leaves of dimensions count, too, if they are computed
        assertThat(sum(result, MISSES)).as("splits computed").isEqualTo(misses);
        assertThat(sum(result, HITS)).as("splits served").isEqualTo(hits);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT count(*), max(w.s), sum(l_quantity) FROM lineitem JOIN joined_orc.wide w ON l_orderkey = w.k",
            "SELECT count(*), max(w.s), sum(f.k) FROM joined_orc.f f LEFT JOIN (SELECT k, s FROM joined_orc.wide WHERE k % 3 = 0 AND length(s) > 5) w ON f.k = w.k",
            "SELECT count(*), max(w.s) FROM lineitem JOIN (SELECT w.k, w.s || d.n s FROM joined_orc.wide w JOIN joined_orc.d d ON w.k % 7 = d.k) w"
                    + " ON l_orderkey = w.k",
            "SELECT count(*), max(w.s), sum(w.c) FROM joined_orc.f f JOIN (SELECT k, max(s) s, count(*) c FROM joined_orc.wide GROUP BY k) w ON f.k = w.k",
            "SELECT count(*), sum(w.c) FROM joined_orc.f f LEFT JOIN (SELECT s, count(*) c FROM joined_orc.wide GROUP BY s HAVING max(k) % 4 = 0) w"
                    + " ON cast(f.k AS varchar) || rpad('', 1000, 'x') = w.s",
            "SELECT count(*), sum(k) FROM joined_orc.f WHERE cast(k AS varchar) || rpad('', 1000, 'x') IN (SELECT s FROM joined_orc.wide)",
            "SELECT count(*), sum(k) FROM joined_orc.f WHERE cast(k AS varchar) || rpad('', 1000, 'x') NOT IN (SELECT s FROM joined_orc.wide)",
    })
    void aBuildSideBeyondTheMemoryIsStreamed(String sql)
    {
        if (client().execute("SHOW TABLES FROM joined_orc LIKE 'wide'").rows().isEmpty()) {
            // 30 MB of rows in a file of some hundred kilobytes
            table("orc", "wide", "k bigint, s varchar",
                    "SELECT k * 2, cast(k * 2 AS varchar) || rpad('', 1000, 'x') FROM (SELECT x * 300 + y k FROM UNNEST(sequence(0, 99)) AS a(x)"
                            + " CROSS JOIN UNNEST(sequence(0, 299)) AS b(y))");
        }
        QueryResult plain = plain().execute(sql);
        QueryResult computed = client().execute(sql);
        Rows.assertSameRows(computed, plain);
        assertThat(sum(computed, JOINS)).as("joins replaced").isEqualTo(1);
        assertThat(sum(computed, "eyrieFragmentJoinsStreamed")).as("build sides that are not held").isPositive();
        Rows.assertSameRows(client().execute(sql), plain);
        assertThat(sum(client().execute(sql), MISSES)).isZero();
        client().execute("CALL system.invalidate_cache('joined_orc', 'wide')");
        assertThat(sum(client().execute(sql), HITS)).as("splits served after an invalidation of the build side").isZero();
    }

    private Map<String, Set<String>> inputs(QueryResult result)
    {
        QueryStatistics statistics = client().statistics(result);
        Map<String, Set<String>> inputs = new TreeMap<>();
        for (JsonNode input : statistics.queryInfo().path("inputs")) {
            Set<String> columns = inputs.computeIfAbsent(input.path("schema").asText() + "." + input.path("table").asText(),
                    table -> new TreeSet<>());
            input.path("columns").forEach(column -> columns.add(column.path("name").asText()));
        }
        return inputs;
    }

    @Test
    void zonesHaveTheirOwnResultsAndUsersShareThem()
    {
        String sql = "SELECT d.n, max(cast(f.ts AS varchar)), count(*) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk WHERE f.k > 23 GROUP BY 1";
        client().execute(sql);
        assertThat(sum(client().execute(sql), HITS)).isPositive();
        QueryResult tokyo = client().withTimeZone("Asia/Tokyo").execute(sql);
        Rows.assertSameRows(tokyo, plain().withTimeZone("Asia/Tokyo").execute(sql));
        assertThat(sum(tokyo, HITS)).isZero();
        assertThat(sum(client().withUser("another").execute(sql), HITS)).isPositive();
    }

    @Test
    void dynamicFiltersOfTheJoinsThemselvesAreNoObstacle()
    {
        PrestoClient client = client().withSession("enable_dynamic_filtering", "true");
        for (int query : STRESS ? JOINED_TPCH : Set.of(3, 8, 13)) {
            Rows.assertSameRows(client.execute(TpchQueries.sql(query)), plain(query).result());
            Rows.assertSameRows(client.execute(TpchQueries.sql(query)), plain(query).result());
        }
    }

    /* Tools read the lineage of a query from this statement, and whether it has a condition on partitions. */
    @Test
    void explainedInputsHaveTheirConditionsOnPartitions()
            throws IOException
    {
        for (String table : List.of("walks", "parks")) {
            lake.createTable("joined_orc", table, "k bigint, n varchar, p varchar", "format = 'ORC', partitioned_by = ARRAY['p']");
            lake.client("joined_orc").execute("INSERT INTO " + table + " SELECT k, n, p FROM " + (table.equals("walks") ? "f" : "d")
                    + " CROSS JOIN (VALUES 'x', 'y', 'z') AS t(p)");
        }
        String sql = "SELECT b.n, count(*) FROM joined_orc.walks a JOIN joined_orc.parks b ON a.k = b.k%s WHERE a.p = 'x' AND b.p < 'z' GROUP BY 1";
        String two = String.format(Locale.ROOT, sql, "");
        assertThat(sum(client().execute(two), JOINS)).isEqualTo(1);
        assertThat(explainedInputs(client(), two)).isEqualTo(explainedInputs(plain(), two))
                .allSatisfy((table, constraints) -> assertThat(constraints).containsOnlyKeys("p"));
        String twice = String.format(Locale.ROOT, sql, " JOIN joined_orc.parks c ON a.k = c.k AND c.p = 'z'");
        assertThat(sum(client().execute(twice), JOINS)).isEqualTo(1);
        assertThat(explainedInputs(client(), twice).get("parks")).hasEntrySatisfying("p", values -> assertThat(values).contains("x", "y", "z"));
    }

    /* The values of each column with a condition, by table. */
    private static Map<String, Map<String, String>> explainedInputs(PrestoClient client, String sql)
            throws IOException
    {
        Map<String, Map<String, String>> inputs = new TreeMap<>();
        JsonNode plan = new ObjectMapper().readTree((String) client.execute("EXPLAIN (TYPE IO) " + sql).onlyValue());
        for (JsonNode input : plan.path("inputTableColumnInfos")) {
            Map<String, String> constraints = inputs.computeIfAbsent(input.path("table").path("schemaTable").path("table").asText(),
                    table -> new TreeMap<>());
            input.path("columnConstraints").forEach(column -> constraints.put(column.path("columnName").asText(), column.path("domain").toString()));
        }
        return inputs;
    }

    @Test
    void statementsThatWriteStayAsPlanned()
    {
        lake.createTable(SCHEMA, "written", "n varchar, c bigint", "format = 'ORC'");
        QueryResult result = client().execute(
                "INSERT INTO written SELECT d.n, count(*) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk GROUP BY 1");
        assertThat(sum(result, JOINS)).isZero();
        Rows.assertSameRows(
                client().execute("SELECT * FROM written"),
                plain().execute("SELECT d.n, count(*) FROM joined_orc.f f JOIN joined_orc.d d ON f.nk = d.nk GROUP BY 1"));
    }

    private PrestoClient client()
    {
        return lake.client(SCHEMA);
    }

    private PrestoClient plain()
    {
        return client().withSession("eyrie.fragment_result_cache_joined_admission", "NEVER");
    }

    private long sum(QueryResult result, String metric)
    {
        return client().statistics(result).metric(metric).sum();
    }
}
