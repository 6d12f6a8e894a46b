package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** What fragment results promise, on a real cluster: the answers of plans left alone, and leaves that are not computed twice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FragmentIT
{
    private static final String SCHEMA = "fragments";
    private static final String HITS = "eyrieFragmentHits";
    private static final String MISSES = "eyrieFragmentMisses";

    private final Lake lake = Lake.builder(Checkout.find()).name("fragment").property("fragment-result-cache.enabled", "true").start();

    @BeforeAll
    void createTables()
    {
        client().execute("CREATE SCHEMA " + SCHEMA);
        lake.createTpchTables(SCHEMA, 0.01, "ORC", false, (table, rows) -> {});
        for (String format : List.of("ORC", "PARQUET", "TEXTFILE")) {
            lake.createTable(SCHEMA, "days_" + format.toLowerCase(Locale.ROOT), "v bigint, ds varchar", "format = '" + format + "', partitioned_by = ARRAY['ds']");
            client().execute("INSERT INTO days_" + format + " SELECT x, format('2021-01-%02d', 1 + x % 9) FROM UNNEST(sequence(1, 900)) AS t(x)");
        }
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT l_returnflag, l_linestatus, sum(l_quantity), avg(l_extendedprice), count(*) FROM lineitem WHERE l_shipdate <= DATE '1998-09-02' GROUP BY 1, 2",
            "SELECT sum(l_extendedprice * l_discount) FROM lineitem WHERE l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24",
            "SELECT count(*) FROM lineitem WHERE l_comment LIKE '%special%'",
            "SELECT approx_distinct(l_partkey), min(l_shipdate), max(l_comment) FROM lineitem",
            "SELECT DISTINCT l_shipmode FROM lineitem",
            "SELECT count(DISTINCT l_suppkey) FROM lineitem WHERE l_tax > 0.02",
            "SELECT l_shipmode, sum(CASE WHEN o_orderpriority = '1-URGENT' THEN 1 ELSE 0 END) FROM orders JOIN lineitem ON o_orderkey = l_orderkey"
                    + " WHERE l_shipmode IN ('MAIL', 'SHIP') AND l_commitdate < l_receiptdate GROUP BY 1",
            "SELECT o_orderkey, o_totalprice FROM orders WHERE o_totalprice > 100000 ORDER BY o_totalprice DESC, o_orderkey LIMIT 10",
            "SELECT o_orderpriority, count(*) FROM orders WHERE o_orderkey IN (SELECT l_orderkey FROM lineitem WHERE l_quantity > 49) GROUP BY 1",
            "SELECT o_custkey % 7, row_number() OVER (PARTITION BY o_custkey ORDER BY o_orderkey) FROM orders WHERE o_custkey < 50",
            "SELECT sum(x) FROM (SELECT l_linenumber x FROM lineitem WHERE l_tax > 0.05 UNION ALL SELECT o_shippriority FROM orders WHERE o_orderkey > 7)",
            "SELECT ds, sum(v) FROM days_textfile WHERE v > 100 GROUP BY ROLLUP (ds)",
    })
    void answersAreThoseOfPlansLeftAlone(String sql)
    {
        QueryResult stock = alone().execute(sql);
        QueryResult cold = client().execute(sql);
        QueryResult warm = client().execute(sql);
        Rows.assertSameRows(cold, stock);
        Rows.assertSameRows(warm, stock);
        assertThat(sum(cold, HITS) + sum(cold, MISSES)).as("leaves run here").isPositive();
        assertThat(sum(warm, HITS)).as("leaves served").isPositive();
        assertThat(sum(warm, MISSES)).as("leaves computed again").isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orc", "parquet", "textfile"})
    void windowThatMovesComputesWhatIsNew(String format)
    {
        String window = "SELECT ds, sum(v) FROM days_" + format + " WHERE ds BETWEEN '2021-01-0%d' AND '2021-01-0%d' GROUP BY ds";
        client().execute(String.format(Locale.ROOT, window, 1, 6));
        String moved = String.format(Locale.ROOT, window, 2, 7);
        QueryResult result = client().execute(moved);
        Rows.assertSameRows(result, alone().execute(moved));
        long hits = sum(result, HITS);
        long misses = sum(result, MISSES);
        assertThat(hits).isEqualTo(5 * misses).isPositive();
    }

    @Test
    void nullsUnderAContainedRangeAreNotCounted()
    {
        lake.createTable(SCHEMA, "holes", "v bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        client().execute("INSERT INTO holes SELECT if(x % 2 = 0, x), '2021-01-01' FROM UNNEST(sequence(1, 1000)) AS t(x)");
        client().execute("ANALYZE holes");
        String sql = "SELECT count(*) FROM holes WHERE v BETWEEN 0 AND 100000";
        assertThat(client().execute("SELECT count(*) FROM holes WHERE ds > ''").onlyValue()).isEqualTo(1000);
        assertThat(client().execute(sql).onlyValue()).isEqualTo(500);
        assertThat(client().execute(sql).onlyValue()).isEqualTo(500);
    }

    @Test
    void fileOverwrittenInPlaceIsComputedAgain()
    {
        lake.createTable(SCHEMA, "overwritten", "x varchar", "format = 'TEXTFILE'");
        for (String word : List.of("first", "secon", "third", "forth")) {
            lake.s3().client().put(Lake.BUCKET, SCHEMA + "/overwritten/file", word.getBytes(UTF_8));
            assertThat(client().execute("SELECT max(x) FROM overwritten").onlyValue()).isEqualTo(word);
            assertThat(client().execute("SELECT max(x) FROM overwritten").onlyValue()).isEqualTo(word);
        }
    }

    @Test
    void randomIsRandom()
    {
        String sql = "SELECT sum(random() + l_tax) FROM lineitem";
        assertThat(client().execute(sql).onlyValue()).isNotEqualTo(client().execute(sql).onlyValue());
    }

    @Test
    void whatALimitLeftUnreadIsNotKept()
    {
        String filtered = "SELECT o_orderkey FROM orders WHERE o_orderkey > 5";
        client().execute(filtered + " LIMIT 3");
        assertThat(client().execute("SELECT count(*) FROM (" + filtered + ")").onlyValue())
                .isEqualTo(alone().execute("SELECT count(*) FROM (" + filtered + ")").onlyValue());
    }

    @Test
    void resultsOutliveTheCluster()
    {
        String sql = "SELECT l_shipmode, sum(l_quantity) FROM lineitem WHERE l_orderkey > 100 GROUP BY 1";
        QueryResult cold = client().execute(sql);
        lake.presto().restart();
        QueryResult warm = client().execute(sql);
        Rows.assertSameRows(warm, cold);
        assertThat(sum(warm, HITS)).isPositive();
    }

    @Test
    void explainShowsTheLeaf()
    {
        assertThat(client().execute("EXPLAIN SELECT sum(l_tax) FROM lineitem WHERE l_quantity > 3").strings(0).get(0)).contains("with its leaf");
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
        QueryStatistics statistics = client().statistics(result);
        return statistics.runtimeMetrics().containsKey(metric) ? statistics.metric(metric).sum() : 0;
    }
}
