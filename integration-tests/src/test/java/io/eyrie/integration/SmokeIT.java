// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A query of TPC-H has the same answer without cache, cold and warm, and the warm run reads no data bytes from S3, with Eyrie's own cache and with
 * Alluxio's client. {@code bin/test --quick} runs this test alone of those that start servers.
 */
class SmokeIT
{
    private static final int QUERY = 3;

    @ParameterizedTest
    @ValueSource(strings = {Lake.CATALOG, SharedLakes.ALLUXIO})
    void coldAndWarm(String catalog)
    {
        Lake lake = SharedLakes.onS3proxy();
        String schema = "smoke_" + catalog;
        String sql = TpchQueries.sql(QUERY);
        QueryResult answer = lake.presto().client("tpch", TpchQueries.sourceSchema(TpchQueries.SMALL_SCALE)).execute(sql);
        lake.createTpchTables(schema, TpchQueries.SMALL_SCALE, "ORC", false, (table, rows) -> assertThat(rows).as(table).isPositive());
        PrestoClient client = lake.presto().client(catalog, schema);
        Rows.assertSameRows(client.withSession(catalog + ".cache_enabled", "false").execute(sql), answer);
        LinkCounts before = lake.quietCounts();

        Rows.assertSameRows(client.execute(sql), answer);
        LinkCounts cold = lake.quietCounts();
        assertThat(cold.minus(before).dataBytes()).isPositive();

        QueryResult warm = client.execute(sql);
        Rows.assertSameRows(warm, answer);
        QueryStatistics statistics = client.statistics(warm);
        assertThat(statistics.metric("eyrieDataRemoteReadBytes").sum()).isZero();
        assertThat(statistics.metric("eyrieDataCacheReadBytes").sum()).isPositive();
        assertThat(lake.quietCounts().minus(cold).dataBytes()).isZero();
    }
}
