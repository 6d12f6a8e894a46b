// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.amazonaws.auth.AWSStaticCredentialsProvider;
import com.amazonaws.auth.BasicAWSCredentials;
import com.amazonaws.client.builder.AwsClientBuilder.EndpointConfiguration;
import com.amazonaws.services.glue.AWSGlue;
import com.amazonaws.services.glue.AWSGlueClientBuilder;
import com.amazonaws.services.glue.model.Column;
import com.amazonaws.services.glue.model.CreateDatabaseRequest;
import com.amazonaws.services.glue.model.CreatePartitionRequest;
import com.amazonaws.services.glue.model.CreateTableRequest;
import com.amazonaws.services.glue.model.DatabaseInput;
import com.amazonaws.services.glue.model.DeletePartitionRequest;
import com.amazonaws.services.glue.model.DeleteTableRequest;
import com.amazonaws.services.glue.model.PartitionInput;
import com.amazonaws.services.glue.model.SerDeInfo;
import com.amazonaws.services.glue.model.StorageDescriptor;
import com.amazonaws.services.glue.model.TableInput;
import com.amazonaws.services.glue.model.UpdatePartitionRequest;
import com.amazonaws.services.glue.model.UpdateTableRequest;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.glue.GlueHiveMetastore;
import com.facebook.presto.hive.metastore.glue.GlueHiveMetastoreConfig;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.version.GlueVersions;
import io.eyrie.testing.metastore.GlueServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static io.eyrie.metastore.Contexts.newQuery;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

/** A client that is unknown to Presto changes Glue at random; the next query must see each change. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GlueIT
{
    private static final int STEPS = Boolean.getBoolean("eyrie.stress") ? 1000 : 50;
    private static final EntryLimits LIMITS = new EntryLimits(100_000_000, 100_000, Duration.ofHours(1), Duration.ofMinutes(10));
    private static final List<String> TABLES = List.of("a", "b");

    private final Map<String, Set<String>> tables = new TreeMap<>();
    private GlueServer server;
    private AWSGlue writer;
    private ExtendedHiveMetastore direct;
    private VersionedHiveMetastore cached;

    @BeforeAll
    void start()
    {
        server = GlueServer.start(Path.of(System.getProperty("eyrie.glue.prepare")), Path.of("target", "metastore-logs", "glue.log"));
        writer = AWSGlueClientBuilder.standard()
                .withEndpointConfiguration(new EndpointConfiguration(server.uri().toString(), "us-east-1"))
                .withCredentials(new AWSStaticCredentialsProvider(new BasicAWSCredentials("key", "secret")))
                .build();
        writer.createDatabase(new CreateDatabaseRequest().withDatabaseInput(new DatabaseInput().withName("db")));
        direct = metastore();
        GlueHiveMetastore presto = metastore();
        cached = new VersionedHiveMetastore(presto, new GlueVersions(presto), new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, false, false,
                Duration.ZERO));
    }

    @AfterAll
    void stop()
    {
        writer.shutdown();
        server.close();
    }

    @Test
    void nextQueryEqualsTheTruth()
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            done.add(change(random, step));
            assertThat(everything(cached)).as("after %s; replay with -Deyrie.seed=%s", done, seed).isEqualTo(everything(direct));
        }
        assertThat(cached.counters().bypasses()).isZero();
        assertThat(cached.counters().entries().hits()).isGreaterThan(STEPS);
    }

    @Test
    void tablesVersionTellsAnUpdateThatChangesNothing()
    {
        writer.createTable(new CreateTableRequest().withDatabaseName("db").withTableInput(table("versions", 1)));
        Object before = version().orElseThrow();
        assertThat(version()).contains(before);
        writer.updateTable(new UpdateTableRequest().withDatabaseName("db").withTableInput(table("versions", 1)));
        assertThat(version()).isPresent().get().isNotEqualTo(before);
        writer.deleteTable(new DeleteTableRequest().withDatabaseName("db").withName("versions"));
    }

    private Optional<Object> version()
    {
        MetastoreContext query = newQuery();
        cached.getTable(query, "db", "versions");
        return cached.versionOf(query.getQueryId(), "db", "versions", List.of());
    }

    private GlueHiveMetastore metastore()
    {
        GlueHiveMetastoreConfig config = new GlueHiveMetastoreConfig()
                .setGlueRegion("us-east-1")
                .setPartitionSegments(1) // moto ignores segments: each would be the whole
                .setGlueEndpointUrl(server.uri().toString())
                .setAwsAccessKey("key")
                .setAwsSecretKey("secret");
        return new GlueHiveMetastore(LocalFiles.environment(), config, directExecutor());
    }

    private String change(Random random, int serial)
    {
        String table = TABLES.get(random.nextInt(TABLES.size()));
        String partition = Integer.toString(random.nextInt(6));
        Set<String> partitions = tables.get(table);
        if (partitions == null) {
            writer.createTable(new CreateTableRequest().withDatabaseName("db").withTableInput(table(table, serial)));
            tables.put(table, new TreeSet<>());
            return "create " + table;
        }
        int choice = random.nextInt(10);
        if (choice == 0) {
            writer.deleteTable(new DeleteTableRequest().withDatabaseName("db").withName(table));
            tables.remove(table);
            return "drop " + table;
        }
        if (choice == 1) {
            writer.updateTable(new UpdateTableRequest().withDatabaseName("db").withTableInput(table(table, serial)));
            return "alter " + table;
        }
        if (partitions.add(partition)) {
            writer.createPartition(new CreatePartitionRequest().withDatabaseName("db").withTableName(table).withPartitionInput(partition(table,
                    partition, serial)));
            return "add " + table + " " + partition;
        }
        if (choice < 6) {
            writer.updatePartition(new UpdatePartitionRequest().withDatabaseName("db").withTableName(table).withPartitionValueList(partition)
                    .withPartitionInput(
                            partition(table, partition, serial)));
            return "alter " + table + " " + partition;
        }
        writer.deletePartition(new DeletePartitionRequest().withDatabaseName("db").withTableName(table).withPartitionValues(partition));
        partitions.remove(partition);
        return "drop " + table + " " + partition;
    }

    private static TableInput table(String name, int serial)
    {
        return new TableInput()
                .withName(name)
                .withOwner("writer")
                .withTableType("EXTERNAL_TABLE")
                .withPartitionKeys(new Column().withName("p").withType("string"))
                .withParameters(Map.of("EXTERNAL", "TRUE", "serial", Integer.toString(serial)))
                .withStorageDescriptor(storage("s3://lake/" + name));
    }

    private static PartitionInput partition(String table, String value, int serial)
    {
        return new PartitionInput()
                .withValues(value)
                .withParameters(Map.of("serial", Integer.toString(serial)))
                .withStorageDescriptor(storage("s3://lake/" + table + "/" + value + "/" + serial));
    }

    private static StorageDescriptor storage(String location)
    {
        return new StorageDescriptor()
                .withLocation(location)
                .withNumberOfBuckets(0)
                .withColumns(new Column().withName("id").withType("bigint"))
                .withInputFormat("org.apache.hadoop.hive.ql.io.orc.OrcInputFormat")
                .withOutputFormat("org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat")
                .withSerdeInfo(new SerDeInfo().withSerializationLibrary("org.apache.hadoop.hive.ql.io.orc.OrcSerde").withParameters(Map.of()))
                .withParameters(Map.of());
    }

    /* Makes the calls of one query. */
    private static Map<String, Object> everything(ExtendedHiveMetastore metastore)
    {
        MetastoreContext query = newQuery();
        Map<String, Object> seen = new TreeMap<>();
        seen.put("tables", metastore.getAllTables(query, "db").map(Set::copyOf));
        for (String name : TABLES) {
            seen.put(name, metastore.getTable(query, "db", name));
            if (metastore.getTable(query, "db", name).isEmpty()) {
                continue;
            }
            seen.put(name + " statistics", metastore.getTableStatistics(query, "db", name));
            List<PartitionNameWithVersion> names = metastore.getPartitionNames(query, "db", name).orElseThrow();
            seen.put(name + " names", Set.copyOf(names));
            seen.put(name + " partitions", metastore.getPartitionsByNames(query, "db", name, names));
            seen.put(name + " partitions' statistics", metastore.getPartitionStatistics(query, "db", name, names.stream().map(
                    PartitionNameWithVersion::getPartitionName).collect(toSet())));
        }
        return seen;
    }
}
