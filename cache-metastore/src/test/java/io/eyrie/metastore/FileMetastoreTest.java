package io.eyrie.metastore;

import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveBasicStatistics;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Database;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PartitionWithStatistics;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.PrincipalPrivileges;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.hive.metastore.file.FileHiveMetastore;
import com.facebook.presto.spi.security.PrincipalType;
import com.google.common.collect.ImmutableListMultimap;
import io.eyrie.metastore.MetastoreCacheConfig.Scope;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.metastore.version.FileMetastoreVersions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

import static io.eyrie.metastore.Contexts.newQuery;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Presto's file metastore, written to by another one over the same directory. */
class FileMetastoreTest
{
    private static final int STEPS = Boolean.getBoolean("eyrie.stress") ? 1000 : 50;
    private static final EntryLimits LIMITS = new EntryLimits(100_000_000, 100_000, Duration.ofHours(1), Duration.ofMinutes(10));
    private static final List<String> DATABASES = List.of("one", "two");
    private static final List<String> TABLES = List.of("a", "b", "c");
    private static final List<String> PARTITIONS = IntStream.range(0, 8).mapToObj(value -> "p=" + value).toList();
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_700_000_000_000L);

    private final Path directory;
    private FileHiveMetastore writer;
    private VersionedHiveMetastore cached;

    FileMetastoreTest(@TempDir Path directory)
    {
        this.directory = directory;
    }

    @BeforeEach
    void open()
    {
        HdfsEnvironment files = LocalFiles.environment();
        String catalog = directory.toUri().toString();
        writer = new FileHiveMetastore(files, catalog, "test");
        cached = new VersionedHiveMetastore(
                new FileHiveMetastore(files, catalog, "test"),
                new FileMetastoreVersions(files, catalog, "test"),
                new MetastoreCacheConfig(LIMITS, Scope.ALL, true, false, Duration.ZERO));
    }

    @Test
    void nextQueryEqualsTheTruth()
    {
        long seed = Long.getLong("eyrie.seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> done = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            done.add(change(random, step));
            assertThat(everything(cached)).as("after %s; replay with -Deyrie.seed=%s", done, seed).isEqualTo(everything(writer));
        }
        assertThat(cached.counters().entries().hits()).isGreaterThan(STEPS);
    }

    @Test
    void rewrittenInTheSameLengthAndTime()
            throws IOException
    {
        table("one", "a", 1);
        Path file = directory.resolve("one/a/.prestoSchema");
        Files.setLastModifiedTime(file, LONG_AGO);
        assertThat(serial("one", "a")).isEqualTo("1");
        String before = Files.readString(file);
        write(file, before.replace("\"serial\" : \"1\"", "\"serial\" : \"2\""));
        Files.setLastModifiedTime(file, LONG_AGO);
        assertThat(serial("one", "a")).isEqualTo("2");
    }

    @Test
    void renamedIntoThePlaceOfOneOfTheSameLengthAndTime()
            throws IOException
    {
        table("one", "a", 1);
        table("one", "b", 2);
        Files.setLastModifiedTime(directory.resolve("one/a/.prestoSchema"), LONG_AGO);
        Files.setLastModifiedTime(directory.resolve("one/b/.prestoSchema"), LONG_AGO);
        assertThat(serial("one", "a")).isEqualTo("1");
        writer.renameTable(newQuery(), "one", "a", "one", "c");
        writer.renameTable(newQuery(), "one", "b", "one", "a");
        assertThat(serial("one", "a")).isEqualTo("2");
        assertThat(serial("one", "c")).isEqualTo("1");
    }

    @Test
    void halfWrittenFileFailsAsWithoutACacheAndLeavesNothing()
            throws IOException
    {
        table("one", "a", 1);
        Path file = directory.resolve("one/a/.prestoSchema");
        String whole = Files.readString(file);
        assertThat(serial("one", "a")).isEqualTo("1");
        write(file, whole.substring(0, whole.length() / 2));
        assertThatThrownBy(() -> serial("one", "a")).hasMessageContaining("Could not read table schema");
        write(file, whole);
        assertThat(serial("one", "a")).isEqualTo("1");
    }

    @Test
    void warmQueryReadsNoPartitionByTheMetastore()
    {
        table("one", "a", 1);
        addPartitions("one", "a", PARTITIONS, 1);
        everything(cached);
        MetastoreContext query = newQuery();
        cached.getTable(query, "one", "a");
        List<PartitionNameWithVersion> names = cached.getPartitionNames(query, "one", "a").orElseThrow();
        assertThat(cached.getPartitionsByNames(query, "one", "a", names)).hasSize(PARTITIONS.size());
        cached.getPartitionStatistics(query, "one", "a", Set.copyOf(PARTITIONS));
        assertThat(query.getRuntimeStats().getMetric("eyrieMetastoreMisses").getSum()).as("the names").isEqualTo(1);
    }

    /* Past Hadoop, whose checksum would tell. */
    private static void write(Path file, String text)
            throws IOException
    {
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
        Files.writeString(file, text);
    }

    private String change(Random random, int serial)
    {
        MetastoreContext context = newQuery();
        String database = DATABASES.get(random.nextInt(DATABASES.size()));
        String table = TABLES.get(random.nextInt(TABLES.size()));
        String partition = PARTITIONS.get(random.nextInt(PARTITIONS.size()));
        List<String> values = List.of(partition.substring(2));
        if (writer.getTable(context, database, table).isEmpty()) {
            table(database, table, serial);
            return "create " + database + "." + table;
        }
        Set<String> there = writer.getPartitionNames(context, database, table).orElseThrow().stream()
                .map(PartitionNameWithVersion::getPartitionName).collect(toSet());
        String name = database + "." + table;
        switch (random.nextInt(8)) {
            case 0 -> {
                writer.dropTable(context, database, table, true);
                return "drop " + name;
            }
            case 1 -> {
                writer.addColumn(context, database, table, "c" + serial, HiveType.HIVE_LONG, "");
                return "add a column to " + name;
            }
            case 2 -> {
                String to = TABLES.get(random.nextInt(TABLES.size()));
                if (writer.getTable(context, database, to).isEmpty()) {
                    writer.renameTable(context, database, table, database, to);
                }
                return "rename " + name + " to " + to;
            }
            case 3 -> {
                writer.updateTableStatistics(context, database, table, old -> statistics(serial));
                return "analyze " + name;
            }
            default -> {
                if (!there.contains(partition)) {
                    addPartitions(database, table, List.of(partition), serial);
                    return "add " + name + " " + partition;
                }
                return switch (random.nextInt(3)) {
                    case 0 -> {
                        writer.dropPartition(context, database, table, values, true);
                        yield "drop " + name + " " + partition;
                    }
                    case 1 -> {
                        writer.updatePartitionStatistics(context, database, table, partition, old -> statistics(serial));
                        yield "analyze " + name + " " + partition;
                    }
                    default -> {
                        writer.alterPartition(context, database, table, partition(database, table, partition, serial));
                        yield "alter " + name + " " + partition;
                    }
                };
            }
        }
    }

    private static PartitionStatistics statistics(int rows)
    {
        return new PartitionStatistics(new HiveBasicStatistics(1, rows, 1, 1), Map.of());
    }

    private void table(String database, String name, int serial)
    {
        MetastoreContext context = newQuery();
        if (writer.getDatabase(context, database).isEmpty()) {
            writer.createDatabase(context, Database.builder().setDatabaseName(database).setOwnerName("test").setOwnerType(PrincipalType.USER)
                    .build());
        }
        Path location = directory.resolve(database).resolve(name);
        try {
            Files.createDirectories(location);
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
        Table table = Table.builder()
                .setDatabaseName(database)
                .setTableName(name)
                .setOwner("test")
                .setTableType(PrestoTableType.MANAGED_TABLE)
                .setDataColumns(List.of(new Column("id", HiveType.HIVE_LONG, Optional.empty(), Optional.empty())))
                .setPartitionColumns(List.of(new Column("p", HiveType.HIVE_STRING, Optional.empty(), Optional.empty())))
                .setParameters(Map.of("serial", Integer.toString(serial)))
                .withStorage(storage -> storage.setStorageFormat(format()).setLocation(location.toUri().toString()))
                .build();
        writer.createTable(context, table, new PrincipalPrivileges(ImmutableListMultimap.of(), ImmutableListMultimap.of()), List.of());
    }

    private void addPartitions(String database, String table, List<String> names, int serial)
    {
        writer.addPartitions(newQuery(), database, table, names.stream().map(name -> partition(database, table, name, serial)).toList());
    }

    private PartitionWithStatistics partition(String database, String table, String name, int serial)
    {
        Partition partition = Partition.builder()
                .setCatalogName(Optional.empty())
                .setDatabaseName(database)
                .setTableName(table)
                .setValues(List.of(name.substring(2)))
                .setColumns(List.of(new Column("id", HiveType.HIVE_LONG, Optional.empty(), Optional.empty())))
                .setParameters(Map.of("serial", Integer.toString(serial)))
                .withStorage(storage -> storage.setStorageFormat(format()).setLocation(directory.resolve(database).resolve(table).resolve(name)
                        .toUri()
                        .toString()))
                .build();
        return new PartitionWithStatistics(partition, name, statistics(serial));
    }

    private static StorageFormat format()
    {
        return StorageFormat.create(
                "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
                "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
                "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat");
    }

    private String serial(String database, String table)
    {
        return cached.getTable(newQuery(), database, table).orElseThrow().getParameters().getOrDefault("serial", "");
    }

    /* As one query. */
    private static Map<String, Object> everything(ExtendedHiveMetastore metastore)
    {
        MetastoreContext query = newQuery();
        Map<String, Object> seen = new TreeMap<>();
        seen.put("databases", Set.copyOf(metastore.getAllDatabases(query)));
        for (String database : DATABASES) {
            seen.put(database, metastore.getDatabase(query, database));
            seen.put(database + " tables", metastore.getAllTables(query, database).map(Set::copyOf));
            TABLES.forEach(table -> table(metastore, query, database, table, seen));
        }
        return seen;
    }

    private static void table(ExtendedHiveMetastore metastore, MetastoreContext query, String database, String name, Map<String, Object> seen)
    {
        String key = database + "." + name;
        seen.put(key, metastore.getTable(query, database, name));
        if (metastore.getTable(query, database, name).isEmpty()) {
            return;
        }
        seen.put(key + " statistics", metastore.getTableStatistics(query, database, name));
        List<PartitionNameWithVersion> names = metastore.getPartitionNames(query, database, name).orElseThrow();
        seen.put(key + " names", Set.copyOf(names));
        seen.put(key + " partitions", metastore.getPartitionsByNames(query, database, name, names));
        seen.put(key + " partitions' statistics", metastore.getPartitionStatistics(query, database, name, names.stream().map(
                PartitionNameWithVersion::getPartitionName).collect(toSet())));
        names.stream().findFirst().ifPresent(first -> seen.put(key + " first", metastore.getPartition(query, database, name, List.of(first
                .getPartitionName()
                .substring(2)))));
    }
}
