// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A catalog with exactly the README's lines, besides the access to the store, uses every layer that changes no answer. A second catalog has, in addition, a
 * line for each layer that turns it off. A coordinator and a worker, on s3proxy and a Hive Metastore with its notification log.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OneSwitchIT
{
    private static final String SCHEMA = "switched";
    private static final String FEW = "few";
    private static final int PARTITIONS = 40;
    private static final String ALL = "SELECT * FROM parts";
    private static final String SUM = "SELECT count(*), sum(x) FROM parts";
    private static final List<String> LAYERS = List.of("data", "footer", "fragment", "metastore");

    private HiveMetastoreServer metastore;
    private Lake lake;
    private PrestoClient client;
    private PrestoClient few;

    @BeforeAll
    void start()
    {
        Checkout checkout = Checkout.find();
        S3Server s3 = EmbeddedS3Server.inMemory();
        Map<String, String> settings = new TreeMap<>(HiveMetastoreServer.s3(s3));
        settings.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        metastore = HiveMetastoreServer.start(checkout.root().resolve("testing/hive-metastore/target/lib"), Path.of(
                "target/one-switch-metastore.log"), settings);
        // what remains: connector.name, hive.metastore.uri, cache.enabled, cache.base-directory, and hive.s3.…
        Map<String, String> readme = new HashMap<>(Map.of("hive.metastore.uri", metastore.uri().toString()));
        for (String line : List.of(
                "hive.metastore",
                "hive.metastore.catalog.dir",
                "hive.non-managed-table-writes-enabled",
                "hive.collect-column-statistics-on-write",
                "cache.max-cache-size",
                "cache.min-free-space",
                "fragment-result-cache.enabled",
                "cache.file-statistics",
                "hive.metastore-cache-ttl")) {
            readme.put(line, "");
        }
        Map<String, String> off = new HashMap<>(readme);
        off.putAll(Map.of(
                "fragment-result-cache.enabled", "false",
                "hive.metastore-cache-ttl", "0s",
                "hive.orc.file-tail-cache-enabled", "false",
                "hive.orc.stripe-metadata-cache-enabled", "false",
                "hive.orc.row-group-index-cache-enabled", "false",
                "hive.node-selection-strategy", "NO_PREFERENCE",
                "hive.affinity-scheduling-unpacked-splits-per-node", "0",
                "cache.list-by-prefix", "false",
                "cache.file-handles.max-idle", "0"));
        // lines without effect
        off.putAll(Map.of(
                "fragment-result-cache.base-directory", "file:///mnt/flash/fragment",
                "fragment-result-cache.cache-ttl", "24h",
                "fragment-result-cache.max-cached-entries", "1000000",
                "hive.metastore-cache-scope", "ALL",
                "hive.partition-statistics-based-optimization-enabled", "true"));
        LakeBuilder builder = Lake.builder(checkout).name("one-switch").server(() -> s3).workers(1).catalog(FEW, off);
        readme.forEach(builder::property);
        lake = builder.start();
        client = lake.client(SCHEMA);
        few = lake.presto().client(FEW, SCHEMA);
        client.execute("CREATE SCHEMA " + SCHEMA + " WITH (location = 's3a://" + Lake.BUCKET + "/" + SCHEMA + "/')");
        PrestoClient oneFile = client.withSession("task_writer_count", "1");
        oneFile.execute("CREATE TABLE parts WITH (format = 'ORC', partitioned_by = ARRAY['p']) AS SELECT x, cast(x AS varchar) AS y, "
                + "cast(x % " + PARTITIONS + " AS integer) AS p FROM UNNEST(sequence(1, 4000)) AS t(x)");
        oneFile.execute("CREATE TABLE wide WITH (format = 'ORC') AS SELECT l_orderkey, l_partkey, l_comment FROM tpch.tiny.lineitem");
    }

    @AfterAll
    @SuppressWarnings("try") // closes in reverse order, even if one of them fails
    void stop()
    {
        try (HiveMetastoreServer first = requireNonNull(metastore); Lake second = requireNonNull(lake)) {
            return;
        }
    }

    @Test
    void secondRunHitsEveryLayer()
    {
        QueryResult expected = few.execute(SUM);
        assertThat(client.execute(ALL).rows()).hasSize(4000);
        assertThat(client.execute(SUM).rows()).isEqualTo(expected.rows());
        WrittenPages.await(client, "parts");
        long dataBytes = lake.quietCounts().dataBytes();

        QueryResult all = client.execute(ALL);
        assertThat(all.rows()).hasSize(4000);
        for (String layer : List.of("data", "footer", "metastore")) {
            assertThat(hits(client, all, layer)).as(layer).isPositive();
        }
        QueryStatistics statistics = client.statistics(all);
        assertThat(statistics.metric("eyrieMetastoreMisses").sum()).as("validated by the log").isZero();
        assertThat(placed(statistics)).as("affinity").isEqualTo(statistics.metric("eyriePackedSplits").sum()).isPositive();
        assertThat(statistics.metric("eyriePrefixListingAnswers").sum()).as("lists by prefix").isGreaterThan(PARTITIONS - 3L);

        QueryResult sum = client.execute(SUM);
        assertThat(sum.rows()).isEqualTo(expected.rows());
        assertThat(hits(client, sum, "fragment")).isEqualTo(PARTITIONS);
        assertThat(lake.quietCounts().dataBytes()).as("bytes from S3").isEqualTo(dataBytes);
    }

    @Test
    void openFilesAreUsedAgain()
    {
        assertThat(reusedHandles(client, Lake.CATALOG)).isPositive();
        assertThat(reusedHandles(few, FEW)).isZero();
    }

    private double reusedHandles(PrestoClient reader, String catalog)
    {
        String mbean = "io.eyrie:type=FileHandles,name=" + catalog;
        reader.execute("CALL system.invalidate_cache('" + SCHEMA + "', 'wide')");
        // each query reads from S3
        PrestoClient missing = reader.withSession(catalog + ".data_cache_mode", "READ_ONLY").withSession(catalog + ".footer_cache_mode", "READ_ONLY");
        double before = lake.presto().workerMBeans(0).number(mbean, "Reused");
        for (int i = 0; i < 3; i++) {
            assertThat(missing.execute("SELECT l_comment FROM wide").rows()).isNotEmpty();
        }
        return lake.presto().workerMBeans(0).number(mbean, "Reused") - before;
    }

    @Test
    void lineThatTurnsALayerOffWins()
    {
        QueryResult first = few.execute(SUM);
        assertThat(few.execute(ALL).rows()).hasSize(4000);
        long lists = lake.quietCounts().of(RequestKind.LIST).requests();
        QueryResult second = few.execute(SUM);
        assertThat(second.rows()).isEqualTo(first.rows());
        assertThat(lake.quietCounts().of(RequestKind.LIST).requests() - lists).as("a listing a partition").isGreaterThanOrEqualTo(PARTITIONS);
        for (String layer : List.of("footer", "fragment", "metastore")) {
            assertThat(hits(few, second, layer)).as(layer).isZero();
        }
        QueryStatistics statistics = few.statistics(second);
        for (String metric : List.of("eyriePackedSplits", "eyriePrefixListingAnswers", "eyrieMetastoreLookups", "eyrieFragmentLeaves")) {
            assertThat(statistics.metric(metric).sum()).as(metric).isZero();
        }
        assertThat(placed(statistics)).as("affinity").isZero();
    }

    @Test
    void sessionTurnsALayerOff()
    {
        client.execute(SUM);
        PrestoClient without = client.withSession(Lake.CATALOG + ".fragment_result_cache_enabled", "false")
                .withSession(Lake.CATALOG + ".metastore_cache_mode", "BYPASS")
                .withSession(Lake.CATALOG + ".footer_cache_mode", "BYPASS")
                .withSession(Lake.CATALOG + ".data_cache_mode", "BYPASS")
                .withSession(Lake.CATALOG + ".node_selection_strategy", "NO_PREFERENCE");
        QueryResult result = without.execute(SUM);
        for (String layer : LAYERS) {
            assertThat(hits(client, result, layer)).as(layer).isZero();
        }
        assertThat(placed(client.statistics(result))).as("affinity").isZero();
    }

    @Test
    void proceduresNeedNoDirectoryOfTheirOwn()
    {
        client.execute("CALL system.pin_in_cache('" + SCHEMA + "', 'parts')");
        assertThat(value(client, "SELECT count(*) FROM cache.control WHERE kind = 'pin'")).isPositive();
        Path written = lake.presto().coordinatorDirectory().resolve("data/control").resolve(Lake.CATALOG + ".json");
        assertThat(written).exists();

        client.execute(SUM);
        client.execute("CALL system.invalidate_cache('" + SCHEMA + "', 'parts')");
        QueryResult after = client.execute(SUM);
        assertThat(hits(client, after, "fragment")).isZero();
        assertThat(value(client, "SELECT count(DISTINCT node_id) FROM cache.control WHERE kind = 'invalidation'")).as("both nodes").isEqualTo(2);
        client.execute("CALL system.unpin_in_cache()");
        assertThat(client.execute(ALL).rows()).as("brings it to the worker").hasSize(4000);
        assertThat(value(client, "SELECT count(*) FROM cache.control WHERE kind = 'pin'")).isZero();
    }

    @Test
    void configurationShowsWhereValuesComeFromAndWhatIsInEffect()
    {
        assertThat(configuration(client, "fragment-result-cache.enabled")).containsExactly(List.of("true", "switch", "in effect"));
        assertThat(configuration(client, "hive.metastore-cache-ttl")).containsExactly(List.of("2.00d", "switch", "in effect"));
        assertThat(configuration(client, "hive.node-selection-strategy")).containsExactly(List.of("SOFT_AFFINITY", "switch", "in effect"));
        assertThat(configuration(client, "eyrie.orc.file-tail-cache-enabled")).containsExactly(List.of("true", "switch", "in effect"));
        assertThat(configuration(client, "cache.enabled")).containsExactly(List.of("true", "file", "in effect"));
        assertThat(configuration(client, "cache.page-size")).containsExactly(List.of("1MB", "default", "in effect"));
        // the JVM counts a little less than its 1 GB as the heap
        assertThat(configuration(client, "cache.max-memory")).singleElement().satisfies(row -> {
            assertThat(row.get(0)).asString().matches("1[45][0-9]\\.[0-9]{2}MB");
            assertThat(row.subList(1, 3)).containsExactly("derived", "in effect");
        });
        assertThat(client.execute(
                "SELECT DISTINCT source, note LIKE '80 percent of %' FROM cache.configuration WHERE property = 'cache.max-cache-size'")
                .rows()).containsExactly(List.of("derived", true));
        assertThat(configuration(client, "cache.fetch-memory")).singleElement().satisfies(row -> {
            assertThat(row.get(0)).asString().doesNotContain("256MB");
            assertThat(row.subList(1, 3)).containsExactly("derived", "scaled down");
        });
        assertThat(client.execute("SELECT DISTINCT note FROM cache.configuration WHERE property = 'cache.fetch-memory'").strings(0)).containsExactly(
                "from 256MB, to fit cache.max-memory");
        assertThat(client.execute(
                "SELECT DISTINCT effect, note FROM cache.configuration WHERE property = 'fragment-result-cache.joined.max-build-size'").rows())
                .containsExactly(List.of("scaled down", "from 256MB, to fit a tenth of the heap"));
        assertThat(client.execute("SELECT value FROM cache.configuration WHERE property = 'cache.control-directory' AND source = 'switch'").strings(
                0))
                .as("on the coordinator").singleElement().asString().endsWith("/data/control");

        assertThat(configuration(few, "fragment-result-cache.enabled")).containsExactly(List.of("false", "file", "in effect"));
        assertThat(few.execute(
                "SELECT DISTINCT property FROM cache.configuration WHERE source = 'file' AND effect = 'no effect' AND note IS NOT NULL "
                        + "ORDER BY 1").strings(0)).containsExactly(
                                "fragment-result-cache.base-directory",
                                "fragment-result-cache.cache-ttl",
                                "fragment-result-cache.max-cached-entries",
                                "hive.metastore-cache-scope",
                                "hive.partition-statistics-based-optimization-enabled");
    }

    private static List<List<Object>> configuration(PrestoClient reader, String property)
    {
        return reader.execute("SELECT DISTINCT value, source, effect FROM cache.configuration WHERE property = '" + property + "'").rows();
    }

    private static long placed(QueryStatistics statistics)
    {
        return List.of("Own", "Overflow", "StandIn").stream().mapToLong(kind -> statistics.metric("eyriePlacement" + kind + "Splits").sum()).sum();
    }

    private static long hits(PrestoClient reader, QueryResult query, String layer)
    {
        return value(reader, "SELECT coalesce(sum(hits), 0) FROM cache.queries WHERE layer = '" + layer + "' AND query_id = '" + query.queryId()
                + "'");
    }

    private static long value(PrestoClient reader, String sql)
    {
        return ((Number) reader.execute(sql).onlyValue()).longValue();
    }
}
