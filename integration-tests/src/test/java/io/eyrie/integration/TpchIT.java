// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that all 22 queries of TPC-H have the same answers as the source of the data: without cache, cold, warm and after a restart. Warm runs, also
 * after a restart, send only listings to S3. Each dimension is varied, but not their full product.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class TpchIT
{
    private final List<QueryResult> answers = new ArrayList<>();
    private Lake lake;

    @BeforeAll
    void start()
    {
        lake = Lake.builder(Checkout.find()).name("tpch").workers(0).start();
        PrestoClient source = lake.presto().client("tpch", TpchQueries.sourceSchema(TpchQueries.SMALL_SCALE));
        for (int query = 1; query <= TpchQueries.COUNT; query++) {
            QueryResult answer = source.execute(TpchQueries.sql(query));
            assertThat(answer.rows()).as(TpchQueries.name(query)).isNotEmpty();
            answers.add(answer);
        }
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    void orc()
    {
        create("orc", "ORC", false);
        assertAnswers(lake.uncachedClient("orc"));
        assertColdAndWarm("orc");
    }

    @Test
    void parquet()
    {
        create("parquet", "PARQUET", false);
        assertColdAndWarm("parquet");
        lake.presto().restart();
        assertWarm("parquet");
    }

    @Test
    void partitionedOrc()
    {
        create("orc_by_year", "ORC", true);
        assertColdAndWarm("orc_by_year");
        lake.presto().restart();
        assertWarm("orc_by_year");
    }

    @Test
    void partitionedParquetWithoutCache()
    {
        create("parquet_by_year", "PARQUET", true);
        assertAnswers(lake.uncachedClient("parquet_by_year"));
    }

    private void create(String schema, String format, boolean partitioned)
    {
        lake.createTpchTables(schema, TpchQueries.SMALL_SCALE, format, partitioned, (table, rows) -> assertThat(rows).as(table).isPositive());
    }

    private void assertColdAndWarm(String schema)
    {
        PrestoClient client = lake.client(schema);
        LinkCounts before = lake.quietCounts();
        assertAnswers(client);
        assertThat(lake.quietCounts().minus(before).dataBytes()).as("data bytes of the cold runs").isPositive();
        assertWarm(schema);
    }

    private void assertWarm(String schema)
    {
        PrestoClient client = lake.client(schema);
        LinkCounts before = lake.quietCounts();
        for (int query = 1; query <= TpchQueries.COUNT; query++) {
            QueryResult warm = assertAnswer(client, query);
            QueryStatistics statistics = client.statistics(warm);
            assertThat(statistics.metric("eyrieDataRemoteReadBytes").sum()).as("remote bytes of %s", TpchQueries.name(query)).isZero();
            assertThat(statistics.metric("eyrieDataCacheReadBytes").sum()).as("cached bytes of %s", TpchQueries.name(query)).isPositive();
        }
        LinkCounts asked = lake.quietCounts().minus(before);
        assertThat(asked.requests()).as("requests of warm runs: %s", asked).isEqualTo(asked.of(RequestKind.LIST).requests());
    }

    private void assertAnswers(PrestoClient client)
    {
        for (int query = 1; query <= TpchQueries.COUNT; query++) {
            assertAnswer(client, query);
        }
    }

    private QueryResult assertAnswer(PrestoClient client, int query)
    {
        QueryResult result = client.execute(TpchQueries.sql(query));
        Rows.assertSameRows(result, answers.get(query - 1));
        return result;
    }
}
