// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.HiveBasicStatistics;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Database;
import com.facebook.presto.hive.metastore.HivePrivilegeInfo;
import com.facebook.presto.hive.metastore.HivePrivilegeInfo.HivePrivilege;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.PartitionWithStatistics;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.PrincipalPrivileges;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.hive.metastore.file.FileHiveMetastore;
import com.facebook.presto.spi.security.PrestoPrincipal;
import com.facebook.presto.spi.security.PrincipalType;
import com.google.common.collect.ImmutableListMultimap;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import static io.eyrie.metastore.Contexts.newQuery;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

/**
 * Writes to a file metastore, at random or on request. It is also a program for a separate process: its arguments are the directory and a seed; for
 * each line of its input, it makes one change and prints a line that begins with {@link #DONE}.
 */
final class FileMetastoreWriter
{
    static final String DONE = "done ";
    static final List<String> DATABASES = List.of("one", "two");
    static final List<String> TABLES = List.of("a", "b", "c");
    static final PrestoPrincipal USER = new PrestoPrincipal(PrincipalType.USER, "ann");
    static final List<String> PARTITIONS = IntStream.range(0, 8).mapToObj(value -> "p=" + value).toList();

    private final Path directory;
    private final FileHiveMetastore writer;

    FileMetastoreWriter(Path directory)
    {
        this.directory = directory;
        this.writer = new FileHiveMetastore(LocalFiles.environment(), directory.toUri().toString(), "test");
    }

    public static void main(String[] arguments)
            throws IOException
    {
        FileMetastoreWriter writer = new FileMetastoreWriter(Path.of(arguments[0]));
        Random random = new Random(Long.parseLong(arguments[1]));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        PrintWriter output = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        for (int step = 0; input.readLine() != null; step++) {
            output.println(DONE + writer.change(random, step));
        }
    }

    FileHiveMetastore metastore()
    {
        return writer;
    }

    String change(Random random, int serial)
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
        switch (random.nextInt(9)) {
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
            case 4 -> {
                return (grantOrRevoke(database, table) ? "grant on " : "revoke on ") + name;
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

    private boolean grantOrRevoke(String database, String table)
    {
        MetastoreContext context = newQuery();
        Set<HivePrivilegeInfo> select = Set.of(new HivePrivilegeInfo(HivePrivilege.SELECT, false, USER, USER));
        if (writer.listTablePrivileges(context, database, table, USER).isEmpty()) {
            writer.grantTablePrivileges(context, database, table, USER, select);
            return true;
        }
        writer.revokeTablePrivileges(context, database, table, USER, select);
        return false;
    }

    static PartitionStatistics statistics(int rows)
    {
        return new PartitionStatistics(new HiveBasicStatistics(1, rows, 1, 1), Map.of());
    }

    void table(String database, String name, int serial)
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

    void addPartitions(String database, String table, List<String> names, int serial)
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
}
