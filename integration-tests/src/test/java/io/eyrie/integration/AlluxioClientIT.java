// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** With {@code cache.type=ALLUXIO_CLIENT}, a query of TPC-H has the same answer without cache, cold and warm; the warm run reads no data bytes from S3. */
class AlluxioClientIT
{
    private static final int QUERY = 3;

    @Test
    void coldAndWarm()
    {
        try (Lake lake = Lake.builder(Checkout.find()).name("alluxio-client").workers(1).property("cache.type", "ALLUXIO_CLIENT").start()) {
            String sql = TpchQueries.sql(QUERY);
            QueryResult answer = lake.presto().client("tpch", TpchQueries.sourceSchema(TpchQueries.SMALL_SCALE)).execute(sql);
            lake.createTpchTables("orc", TpchQueries.SMALL_SCALE, "ORC", false, (table, rows) -> assertThat(rows).as(table).isPositive());
            Rows.assertSameRows(lake.uncachedClient("orc").execute(sql), answer);
            PrestoClient client = lake.client("orc");
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
}
