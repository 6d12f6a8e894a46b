// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import io.eyrie.benchmarks.peers.Ssb;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares queries of TPC-DS and of the star schema benchmark with fragment results, cold and warm, with unchanged plans. The stress profile runs all
 * of TPC-DS's in both formats.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TpcdsIT
{
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final int QUERIES = STRESS ? Integer.MAX_VALUE : 4;
    private static final double SCALE = STRESS ? 0.05 : 0.01;

    private final Lake lake = Lake.builder(Checkout.find())
            .name("tpcds")
            .logRoot(Checkout.find().root().resolve("benchmarks/target/presto-logs"))
            // one node, because no test here depends on which node runs a split
            .workers(0)
            .config("task.concurrency", "2")
            .property("fragment-result-cache.enabled", "true")
            .start();

    @AfterAll
    void stop()
    {
        lake.close();
    }

    private static List<String> formats()
    {
        return STRESS ? List.of("orc", "parquet") : List.of("orc");
    }

    @ParameterizedTest
    @MethodSource("formats")
    void answersAreThoseOfPlansLeftAlone(String format)
    {
        List<String> queries = TpcdsTables.queries().stream().limit(QUERIES).toList();
        TpcdsTables.create(lake, format, TpcdsTables.of(queries), SCALE, format);
        assertSameAnswers(lake.client(format), queries);
    }

    @Test
    void answersOfTheStarSchemaBenchmarkAreThoseOfPlansLeftAlone()
    {
        Ssb.createTables(lake, "ssb", SCALE, true);
        assertSameAnswers(lake.client("ssb"), Ssb.NAMES.stream().map(Ssb::sql).toList());
    }

    private static void assertSameAnswers(PrestoClient client, List<String> queries)
    {
        long served = 0;
        long rows = 0;
        for (String sql : queries) {
            QueryResult stock = client.withSession("eyrie.fragment_result_cache_enabled", "false").execute(sql);
            Rows.assertSameRows(client.execute(sql), stock);
            QueryResult warm = client.execute(sql);
            Rows.assertSameRows(warm, stock);
            served += client.statistics(warm).metric("eyrieFragmentHits").sum();
            rows += stock.rows().size();
        }
        assertThat(served).as("splits served").isPositive();
        assertThat(rows).as("rows compared").isPositive();
    }
}
