// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryResult.Column;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.presto.PrestoCluster;
import io.eyrie.testing.presto.PrestoClusterBuilder;
import io.eyrie.testing.presto.PrestoStartException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests a coordinator and a worker with the engine's own tpch catalog. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
final class PrestoClusterIT
{
    private PrestoCluster cluster;

    private static PrestoClusterBuilder builder(String name)
    {
        Checkout checkout = Checkout.find();
        return PrestoCluster.builder(checkout.engineLib())
                .name(name)
                .plugin("tpch", checkout.tpchPlugin())
                .catalog("tpch", Map.of("connector.name", "tpch"));
    }

    @BeforeAll
    void start()
    {
        cluster = builder("cluster-it").start();
    }

    @AfterAll
    void stop()
    {
        List<Long> pids = cluster.pids();
        Path directory = cluster.coordinatorDirectory();
        cluster.close();
        assertThat(pids).hasSize(2).allSatisfy(pid -> assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty());
        assertThat(directory.getParent()).doesNotExist();
        assertThat(cluster.logDirectory().resolve("worker-0.log")).isNotEmptyFile();
    }

    private PrestoClient client()
    {
        return cluster.client("tpch", "tiny");
    }

    @Test
    void rowsTypesAndStatistics()
    {
        QueryResult nations = client().execute("SELECT count(*) FROM tpch.tiny.nation");
        assertThat(nations.onlyValue()).isEqualTo(25L);

        QueryResult values = client().execute("SELECT 1 a, 'x' b, DECIMAL '1.50' c, 2.5e0 d, CAST(NULL AS bigint) e");
        assertThat(values.columns()).containsExactly(
                new Column("a", "INTEGER"),
                new Column("b", "VARCHAR(1)"),
                new Column("c", "DECIMAL(3,2)"),
                new Column("d", "DOUBLE"),
                new Column("e", "BIGINT"));
        assertThat(values.rows()).containsExactly(Arrays.asList(1, "x", new BigDecimal("1.50"), 2.5, null));

        QueryStatistics statistics = client().statistics(nations);
        assertThat(statistics.queryInfo().path("state").asText()).isEqualTo("FINISHED");
        assertThat(statistics.queryInfo().path("queryStats").path("rawInputPositions").asLong()).isEqualTo(25);
        assertThat(statistics.metric("optimizerTimeNanos").sum()).isPositive();
        assertThat(statistics.metric("optimizerTimeNanos").count()).isEqualTo(1);
        assertThat(statistics.metric("of nothing").count()).isZero();
    }

    @Test
    void sessionProperties()
    {
        PrestoClient client = client().withSession("no_such_property", "x");
        assertThatThrownBy(() -> client.execute("SELECT count(*) FROM nation")).isInstanceOf(QueryFailedException.class).hasMessageContaining(
                "no_such_property");
        assertThat(client().withSession("query_max_execution_time", "17m").execute("SHOW SESSION LIKE 'query_max_execution_time'").strings(1))
                .containsExactly("17m");
    }

    @Test
    void failureOfAQuery()
    {
        assertThatThrownBy(() -> client().execute("SELECT * FROM nowhere"))
                .isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("nowhere");
    }

    @Test
    void workerKilledAndClusterRestarted()
            throws IOException
    {
        Path kept = cluster.workerDirectory(0).resolve("data/kept");
        Files.writeString(kept, "over a restart");
        List<Long> before = cluster.pids();

        cluster.killWorker(0);
        assertThat(cluster.pids()).hasSize(1);
        cluster.startWorker(0);
        assertThat(client().execute("SELECT count(*) FROM region").onlyValue()).isEqualTo(5L);

        cluster.restart();
        assertThat(client().execute("SELECT count(*) FROM region").onlyValue()).isEqualTo(5L);
        assertThat(cluster.pids()).hasSize(2).doesNotContainAnyElementsOf(before);
        assertThat(kept).hasContent("over a restart");
    }

    @Test
    void misconfiguredNode()
    {
        PrestoClusterBuilder builder = builder("cluster-misconfigured-it").config("query.max-memory", "not a size");
        assertThatThrownBy(builder::start)
                .isInstanceOf(PrestoStartException.class)
                .hasMessageContaining("exit code")
                .hasMessageContaining("query.max-memory")
                .hasMessageContaining("cluster-misconfigured-it");
    }

    @Test
    void missingPluginFolder()
    {
        PrestoClusterBuilder builder = builder("cluster-without-plugin-it").plugin("gone", Path.of("not", "built"));
        assertThatThrownBy(builder::start).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("not/built");
    }
}
