// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests that TPC-H's queries become joined scans with the defaults, on tables that are partitioned by month and a coordinator with a small heap. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JoinedMonthsIT
{
    private static final String SCHEMA = "months";
    /* 1 and 6 have no join. The engine does not show connectors the nodes that 15, 21 and 22 need (decision 0041). */
    private static final Set<Integer> NOT_JOINED = Set.of(1, 6, 15, 21, 22);
    /* The others run in JoinedScanIT, over plain tables. */
    private static final List<Integer> QUERIES = Boolean.getBoolean("eyrie.stress")
            ? IntStream.rangeClosed(1, TpchQueries.COUNT).boxed().toList()
            : List.of(3, 4, 18, 22);

    private final Lake lake = Lake.builder(Checkout.find())
            .name("joined-months")
            .workers(1)
            // with the default of 16 threads for each part of a plan, all but one are idle
            .config("task.concurrency", "2")
            .workerHeapMegabytes(2048)
            .property("fragment-result-cache.enabled", "true")
            .property("fragment-result-cache.joined.admission", "seen-twice")
            .property("fragment-result-cache.joined.listing-time", "60s")
            .property("hive.metastore-cache-ttl", "1d")
            .property("hive.file-status-cache-tables", "*")
            .property("hive.file-status-cache-expire-time", "24h")
            .property("cache.open-partition-age", "1s")
            .start();

    @BeforeAll
    void createTables()
    {
        lake.createMonthlyTpchTables(SCHEMA, 0.1, "ORC", true);
    }

    @AfterAll
    void stop()
    {
        lake.close();
    }

    @Test
    void queriesAreJoinedFromTheSecondRunOnAndAfterARestart()
    {
        Map<Integer, QueryResult> answers = new HashMap<>();
        for (int query : QUERIES) {
            boolean joined = !NOT_JOINED.contains(query);
            QueryResult plain = lake.client(SCHEMA).withSession("eyrie.fragment_result_cache_joined_admission", "NEVER").execute(TpchQueries.sql(
                    query));
            answers.put(query, plain);
            check(query, "first", plain, false, false);
            QueryResult second = check(query, "second", plain, joined, false);
            QueryResult third = check(query, "third", plain, joined, true);
            if (query == 3) {
                assertThat(listings(second) - listings(third)).as("months of lineitem, listed only to find the largest table").isEqualTo(84);
            }
        }
        lake.presto().restart();
        answers.forEach((query, plain) -> check(query, "restarted", plain, !NOT_JOINED.contains(query), true));
    }

    private QueryResult check(int query, String run, QueryResult plain, boolean joined, boolean served)
    {
        QueryResult result = lake.client(SCHEMA).execute(TpchQueries.sql(query));
        Rows.assertSameRows(result, plain);
        assertThat(sum(result, "eyrieFragmentJoins") > 0).as("%s is joined in its %s run. %s", TpchQueries.name(query), run, lake.client(SCHEMA)
                .statistics(result).runtimeMetrics()).isEqualTo(joined);
        if (joined) {
            assertThat(sum(result, "eyrieFragmentJoinsStreamed")).as("build sides of %s beyond the memory", TpchQueries.name(query)).isZero();
        }
        if (served) {
            assertThat(sum(result, "eyrieFragmentMisses")).as("splits of %s that its %s run computes", TpchQueries.name(query), run).isZero();
        }
        return result;
    }

    private long listings(QueryResult result)
    {
        return sum(result, "directoryListingCacheHit") + sum(result, "directoryListingCacheMiss");
    }

    private long sum(QueryResult result, String metric)
    {
        return lake.client(SCHEMA).statistics(result).metric(metric).sum();
    }
}
