// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.RequestKind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** A real coordinator on a real metastore with its notification log: after a restart, the first query plans with the metadata that an earlier process stored. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestartedCoordinatorIT
{
    private static final String SCHEMA = "restarted";
    private static final String OTHER = "other";
    private static final int PARTITIONS = 40;

    private Lake lake;

    @BeforeAll
    void start()
    {
        Map<String, String> cached = Map.of(
                "connector.name", "eyrie",
                "cache.enabled", "true",
                "cache.base-directory", "${node.directory}/data",
                "cache.max-cache-size", "1GB",
                "hive.metastore-cache-ttl", "1d",
                "hive.file-status-cache-tables", "*",
                "hive.file-status-cache-expire-time", "24h",
                "cache.open-partition-age", "0s");
        LakeBuilder builder = Lake.builder(Checkout.find())
                .name("restarted-coordinator")
                .hiveMetastore()
                .workers(0)
                .catalog(OTHER, Map.of("connector.name", "hive-hadoop2"))
                .plugin("hive-stock", Checkout.find().stockPlugin());
        cached.forEach(builder::property);
        lake = builder.start();
        lake.client(SCHEMA).execute("CREATE SCHEMA " + SCHEMA);
    }

    @AfterAll
    void stop()
    {
        requireNonNull(lake).close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void firstQueryAfterARestart(boolean crash)
    {
        String table = crash ? "after_crash" : "after_shutdown";
        PrestoClient client = lake.client(SCHEMA);
        client.withSession("task_writer_count", "1").execute("CREATE TABLE " + table + " WITH (format = 'ORC', partitioned_by = ARRAY['p']) AS "
                + "SELECT x, cast(x % " + PARTITIONS + " AS integer) AS p FROM UNNEST(sequence(1, 400)) AS t(x)");
        String all = "SELECT count(*), sum(x) FROM " + table;
        assertThat(client.execute(all).rows()).containsExactly(List.of(400L, 80_200L));
        if (crash) {
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (stored("StoredEntriesWritten") < 2 * PARTITIONS && System.nanoTime() < end) {
                client.execute("SELECT 1");
            }
            long onDisk = System.nanoTime() + TimeUnit.SECONDS.toNanos(3); // three times the interval in which written pages begin to survive a crash
            while (System.nanoTime() < onDisk) {
                client.execute("SELECT 1");
            }
            lake.presto().crashAndRestart();
        }
        else {
            lake.presto().restart();
        }
        client = lake.client(SCHEMA);
        LinkCounts before = lake.quietCounts();
        QueryResult first = client.execute(all);
        assertThat(first.rows()).containsExactly(List.of(400L, 80_200L));
        assertThat(client.statistics(first).metric("eyrieMetastoreMisses").sum()).as("metadata that the metastore was asked for").isZero();
        assertThat(lake.quietCounts().minus(before).of(RequestKind.LIST).requests()).as("listings of sealed directories").isZero();
        assertThat(stored("StoredEntriesRead")).isGreaterThan(2 * PARTITIONS);
        assertThat(stored("StoredResumptions")).isEqualTo(1);
        assertThat(stored("StoredLosses")).isZero();
        assertThat(Files.isDirectory(lake.presto().coordinatorDirectory().resolve("data/metadata").resolve(Lake.CATALOG))).isTrue();
    }

    @Test
    void changesThatTheCoordinatorDoesNotSeeBeforeItIsKilled()
    {
        PrestoClient client = lake.client(SCHEMA);
        client.execute("CREATE TABLE emptied WITH (format = 'ORC') AS SELECT 1 AS x");
        client.execute("CREATE TABLE grown WITH (format = 'ORC', partitioned_by = ARRAY['p']) AS SELECT 1 AS x, 7 AS p");
        String counts = "SELECT (SELECT count(*) FROM emptied), (SELECT sum(x) FROM grown)";
        assertThat(client.execute(counts).rows()).containsExactly(List.of(1L, 1L));
        lake.presto().restart();
        client = lake.client(SCHEMA);
        assertThat(client.execute(counts).rows()).containsExactly(List.of(1L, 1L));
        // deletes files, and does not report it to the metastore
        client.execute("DELETE FROM emptied");
        lake.presto().client(OTHER, SCHEMA).execute("INSERT INTO grown VALUES (1000, 7), (2000, 1234)");
        lake.presto().crashAndRestart();
        assertThat(lake.client(SCHEMA).execute(counts).rows()).containsExactly(List.of(0L, 3001L));
    }

    private long stored(String counter)
    {
        return (long) lake.presto().coordinatorMBeans().number("io.eyrie:type=MetastoreCache,name=" + Lake.CATALOG, counter);
    }
}
