// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.link.RequestKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the data cache's guarantees to Presto users on a real cluster: a worker, and a second catalog on the same directories. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DataCacheIT
        extends VersionPromises
{
    @Override
    Lake startLake()
    {
        return Lake.builder(Checkout.find())
                .name("data-cache")
                .workers(1)
                .catalog("second", Map.of())
                .catalog("no_preference", Map.of("hive.node-selection-strategy", "NO_PREFERENCE"))
                .start();
    }

    @AfterAll
    void stop()
    {
        lake().close();
    }

    @ParameterizedTest
    @Order(1)
    @ValueSource(strings = {"ORC", "DWRF", "PARQUET", "RCBINARY", "RCTEXT", "TEXTFILE", "JSON", "SEQUENCEFILE", "AVRO", "PAGEFILE"})
    void warmReadOfAnyFormatAsksS3ForNoData(String format)
    {
        String table = "lineitem_" + format.toLowerCase(Locale.ROOT);
        QueryResult expected = fill(table, "format = '" + format + "'");
        assertWarm(table, expected);
    }

    @Test
    @Order(1)
    void warmReadOfCompressedTextAsksS3ForNoData()
    {
        PrestoClient gzip = lake().client(SCHEMA).withSession("eyrie.compression_codec", "GZIP");
        create("lineitem_gzip", "format = 'TEXTFILE'");
        gzip.execute("INSERT INTO lineitem_gzip " + ROWS);
        assertWarm("lineitem_gzip", lake().presto().client("tpch", "tiny").execute(SUM + "lineitem"));
    }

    @Test
    @Order(2)
    void sessionPropertyTurnsTheCacheOff()
    {
        LinkCounts before = lake().quietCounts();
        QueryResult result = lake().uncachedClient(SCHEMA).execute(SUM + "lineitem_orc");
        assertThat(lake().quietCounts().minus(before).dataBytes()).isPositive();
        QueryStatistics statistics = lake().client(SCHEMA).statistics(result);
        assertThat(statistics.runtimeMetrics().keySet()).noneMatch(name -> name.startsWith("eyrieData"));
    }

    /** Without the cache, a split aborts its GET at its end, and so loses the connection. */
    @Test
    @Order(2)
    void splitsLoseTheirConnections()
    {
        create("split", "format = 'TEXTFILE'");
        // compressed files are not split
        lake().client(SCHEMA).withSession("eyrie.compression_codec", "NONE").execute("INSERT INTO split " + ROWS);
        QueryResult expected = lake().presto().client("tpch", "tiny").execute(SUM + "lineitem");
        PrestoClient client = lake().client(SCHEMA).withSession("eyrie.max_split_size", "64kB").withSession("eyrie.max_initial_split_size", "64kB");
        RequestCounts uncached = ask(client.withSession("eyrie.cache_enabled", "false"), "split", expected);
        RequestCounts cold = ask(client, "split", expected);
        assertThat(cold.connections()).as("%s, %s", cold, uncached).isLessThan(uncached.connections() / 2);
    }

    /* 64 KiB at a time, as its reader requests them, would be a request for each. */
    @ParameterizedTest
    @Order(2)
    @ValueSource(strings = {"READ_ONLY", "DRY_RUN", "BYPASS"})
    void textThatIsNotCachedIsReadInLongRanges(String mode)
    {
        String table = "text_" + mode.toLowerCase(Locale.ROOT);
        create(table, "format = 'TEXTFILE'");
        PrestoClient client = lake().client(SCHEMA).withSession("task_writer_count", "1").withSession("eyrie.compression_codec", "NONE");
        client.execute("INSERT INTO " + table + " " + ROWS);
        QueryResult expected = lake().presto().client("tpch", "tiny").execute(SUM + "lineitem");
        RequestCounts uncached = ask(client.withSession("eyrie.cache_enabled", "false"), table, expected);
        RequestCounts direct = ask(client.withSession("eyrie.data_cache_mode", mode), table, expected);
        assertThat(direct.gets()).as("%s, %s", direct, uncached).isLessThan(uncached.gets() + 20);
        assertWarm(table, expected);
    }

    private RequestCounts ask(PrestoClient client, String table, QueryResult expected)
    {
        long connections = lake().link().connections();
        LinkCounts before = lake().quietCounts();
        assertThat(client.execute(SUM + table).rows()).isEqualTo(expected.rows());
        long gets = lake().quietCounts().minus(before).of(RequestKind.GET_DATA).requests();
        return new RequestCounts(gets, lake().link().connections() - connections);
    }

    /** The requests of one query to S3. */
    private record RequestCounts(long gets, long connections)
    {}

    /** The text of the engine's EXPLAIN ANALYZE contains no runtime statistics, but those of its query contain them, as of any other. */
    @Test
    @Order(2)
    void explainAnalyzeCountsWhatTheCacheSaved()
    {
        QueryResult explained = lake().client(SCHEMA).execute("EXPLAIN ANALYZE " + SUM + "lineitem_orc");
        QueryStatistics statistics = lake().client(SCHEMA).statistics(explained);
        assertThat(statistics.metric("eyrieDataCacheReadBytes").sum()).isPositive();
        assertThat(statistics.metric("eyrieDataCacheReads").sum()).isPositive();
        assertThat(statistics.metric("eyrieDataRemoteReads").sum()).isZero();
    }

    /* Ranges that are fetched before the reader requests them count as served from the cache. */
    @Test
    @Order(2)
    void chunksOfAParquetRowGroupAreFetchedAtATime()
    {
        create("chunks", "format = 'PARQUET'");
        lake().client(SCHEMA).execute("INSERT INTO chunks " + ROWS);
        String query = "SELECT sum(l_orderkey), sum(l_quantity), max(l_comment) FROM ";
        QueryResult cold = lake().client(SCHEMA).execute(query + "chunks");
        assertThat(cold.rows()).isEqualTo(lake().presto().client("tpch", "tiny").execute(query + "lineitem").rows());
        QueryStatistics statistics = lake().client(SCHEMA).statistics(cold);
        assertThat(statistics.metric("eyrieDataRemoteReads").sum()).isGreaterThan(1);
        assertThat(statistics.metric("eyrieDataCacheReadBytes").sum()).isGreaterThan(statistics.metric("eyrieDataRemoteReadBytes").sum() / 2);
    }

    @Test
    @Order(2)
    void secondCatalogOnTheSameDirectoriesSharesTheStore()
    {
        LinkCounts before = lake().quietCounts();
        lake().presto().client("second", SCHEMA).execute(SUM + "lineitem_orc");
        assertThat(lake().quietCounts().minus(before).dataBytes()).isZero();
    }

    @Test
    @Order(2)
    void splitsWithoutPreferredNodeAreCachedWhereTheyRun()
    {
        create("nowhere", "format = 'ORC'");
        lake().client(SCHEMA).execute("INSERT INTO nowhere " + ROWS);
        PrestoClient client = lake().presto().client("no_preference", SCHEMA);
        boolean warm = false;
        for (int i = 0; i < 30 && !warm; i++) {
            LinkCounts before = lake().quietCounts();
            client.execute(SUM + "nowhere");
            warm = lake().quietCounts().minus(before).dataBytes() == 0;
        }
        assertThat(warm).isTrue();
    }

    @Test
    @Order(2)
    void softAffinityIsTheDefault()
    {
        assertThat(lake().client(SCHEMA).execute("SHOW SESSION LIKE 'eyrie.node_selection_strategy'").rows().get(0).get(1)).isEqualTo(
                "SOFT_AFFINITY");
    }

    @Test
    @Order(4)
    void queriesThatAreKilledWhileTheyReadHurtNobody()
            throws Exception
    {
        QueryResult expected = fill("killed", "format = 'TEXTFILE'");
        lake().link().reshape(new LinkShape(Duration.ofMillis(300), 500_000));
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> victims = IntStream.range(0, 4)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> lake().client(SCHEMA).execute("/* victim */ " + SUM + "killed")))
                    .toList();
            int killed = 0;
            PrestoClient control = lake().presto().client("system", "runtime");
            while (killed < victims.size()) {
                for (String id : control.execute("SELECT query_id FROM queries WHERE state = 'RUNNING' AND query LIKE '/* victim%'").strings(0)) {
                    control.execute("CALL kill_query(query_id => '" + id + "', message => 'test')");
                    killed++;
                }
            }
            for (Future<?> victim : victims) {
                assertThatThrownBy(() -> victim.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(QueryFailedException.class);
            }
        }
        finally {
            threads.shutdownNow();
            lake().link().reshape(LinkShape.UNSHAPED);
        }
        assertThat(lake().client(SCHEMA).execute(SUM + "killed").rows()).isEqualTo(expected.rows());
        assertWarm("killed", expected);
    }

    @Test
    @Order(5)
    void clusterThatLostItsPowerIsWarm()
    {
        QueryResult expected = lake().client(SCHEMA).execute(SUM + "lineitem_orc");
        lake().presto().crashAndRestart();
        assertWarm("lineitem_orc", expected);
    }

    @Test
    @Order(Integer.MAX_VALUE)
    void cacheThatIsTakenAwayUnderRunningWorkersCostsSpeedAlone()
            throws IOException
    {
        QueryResult expected = lake().client(SCHEMA).execute(SUM + "lineitem_orc");
        for (int worker = 0; worker < lake().presto().workers(); worker++) {
            Path cache = lake().presto().workerDirectory(worker).resolve("data");
            Directories.delete(cache);
            Files.writeString(cache, "not a directory");
        }
        // open segments continue to serve
        assertThat(lake().client(SCHEMA).execute(SUM + "lineitem_orc").rows()).isEqualTo(expected.rows());
        assertThat(lake().client(SCHEMA).execute(SUM + "lineitem_parquet").rows()).isEqualTo(expected.rows());

        create("afterwards", "format = 'ORC'");
        lake().client(SCHEMA).execute("INSERT INTO afterwards " + ROWS);
        QueryResult uncached = lake().uncachedClient(SCHEMA).execute(SUM + "afterwards");
        LinkCounts before = lake().quietCounts();
        assertThat(lake().client(SCHEMA).execute(SUM + "afterwards").rows()).isEqualTo(uncached.rows());
        assertThat(lake().client(SCHEMA).execute(SUM + "afterwards").rows()).isEqualTo(uncached.rows());
        assertThat(lake().quietCounts().minus(before).dataBytes()).isPositive();
    }
}
