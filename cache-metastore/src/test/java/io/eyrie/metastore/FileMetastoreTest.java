// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.file.FileHiveMetastore;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static io.eyrie.metastore.Contexts.newQuery;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests Presto's file metastore while another one writes to the same directory. */
class FileMetastoreTest
{
    private static final EntryLimits LIMITS = new EntryLimits(100_000_000, 100_000, Duration.ofHours(1), Duration.ofMinutes(10));
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_700_000_000_000L);

    private final Path directory;
    private FileMetastoreWriter writer;
    private VersionedHiveMetastore cached;

    FileMetastoreTest(@TempDir Path directory)
    {
        this.directory = directory;
    }

    @BeforeEach
    void open()
    {
        writer = new FileMetastoreWriter(directory);
        cached = cached(directory);
    }

    /** Creates the cached metastore of a coordinator. */
    static VersionedHiveMetastore cached(Path directory)
    {
        HdfsEnvironment files = LocalFiles.environment();
        String catalog = directory.toUri().toString();
        return new VersionedHiveMetastore(
                new FileHiveMetastore(files, catalog, "test"),
                new FileMetastoreVersions(files, catalog, "test"),
                new MetastoreCacheConfig(LIMITS, CachedKinds.ALL, true, false, Duration.ZERO));
    }

    @Test
    void rewrittenInTheSameLengthAndTime()
            throws IOException
    {
        writer.table("one", "a", 1);
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
        writer.table("one", "a", 1);
        writer.table("one", "b", 2);
        Files.setLastModifiedTime(directory.resolve("one/a/.prestoSchema"), LONG_AGO);
        Files.setLastModifiedTime(directory.resolve("one/b/.prestoSchema"), LONG_AGO);
        assertThat(serial("one", "a")).isEqualTo("1");
        writer.metastore().renameTable(newQuery(), "one", "a", "one", "c");
        writer.metastore().renameTable(newQuery(), "one", "b", "one", "a");
        assertThat(serial("one", "a")).isEqualTo("2");
        assertThat(serial("one", "c")).isEqualTo("1");
    }

    @Test
    void halfWrittenFileFailsAsWithoutACacheAndLeavesNothing()
            throws IOException
    {
        writer.table("one", "a", 1);
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
        writer.table("one", "a", 1);
        writer.addPartitions("one", "a", FileMetastoreWriter.PARTITIONS, 1);
        everything(cached);
        MetastoreContext query = newQuery();
        cached.getTable(query, "one", "a");
        List<PartitionNameWithVersion> names = cached.getPartitionNames(query, "one", "a").orElseThrow();
        assertThat(cached.getPartitionsByNames(query, "one", "a", names)).hasSize(FileMetastoreWriter.PARTITIONS.size());
        cached.getPartitionStatistics(query, "one", "a", Set.copyOf(FileMetastoreWriter.PARTITIONS));
        assertThat(query.getRuntimeStats().getMetric("eyrieMetastoreMisses").getSum()).as("the names").isEqualTo(1);
    }

    /* Writes without Hadoop, whose checksum would detect the change. */
    private static void write(Path file, String text)
            throws IOException
    {
        Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
        Files.writeString(file, text);
    }

    private String serial(String database, String table)
    {
        return cached.getTable(newQuery(), database, table).orElseThrow().getParameters().getOrDefault("serial", "");
    }

    /* Makes the calls of one query. */
    static Map<String, Object> everything(ExtendedHiveMetastore metastore)
    {
        MetastoreContext query = newQuery();
        Map<String, Object> seen = new TreeMap<>();
        seen.put("databases", Set.copyOf(metastore.getAllDatabases(query)));
        for (String database : FileMetastoreWriter.DATABASES) {
            seen.put(database, metastore.getDatabase(query, database));
            seen.put(database + " tables", metastore.getAllTables(query, database).map(Set::copyOf));
            FileMetastoreWriter.TABLES.forEach(table -> table(metastore, query, database, table, seen));
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
        seen.put(key + " privileges", metastore.listTablePrivileges(query, database, name, FileMetastoreWriter.USER));
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
