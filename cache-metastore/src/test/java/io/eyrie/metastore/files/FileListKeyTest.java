// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import io.eyrie.cache.mutation.FieldMutations;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class FileListKeyTest
{
    private static final Storage STORAGE = Storage.builder().setStorageFormat(StorageFormat.create("s", "i", "o")).setLocation("s3://a").build();
    private static final List<Column> COLUMNS = List.of(new Column("v", HiveType.HIVE_LONG, Optional.empty(), Optional.empty()));
    private static final String VERSION = "a change of it is another version in the metastore's log, or other parameters";
    private static final String ROWS = "bears on rows, not on which files there are";

    private final FileLists lists = new FileLists(
            new FileListConfig(List.of("*"), 1 << 20, 1000, Duration.ofDays(1), Duration.ZERO, Optional.empty()),
            (queryId, database, table, values) -> Optional.of(List.of(database, table, values)),
            ListStore.NONE);

    @Test
    void everyFieldOfATableTells()
    {
        Directory directory = new Directory("query", "alice", "s3://a/t", "recursive", table(Map.of("numFiles", "1")), Optional.empty());
        excusingTable()
                .replacing(Optional.class, partition -> Optional.of(new Partition("db", "t", List.of("p"), STORAGE, COLUMNS, Map.of(), Optional
                        .empty(), false, true, 0,
                        0, Optional.empty())))
                .assertEachTells(directory, lists::key);
    }

    @Test
    void everyFieldOfAPartitionTells()
    {
        Partition partition = new Partition("db", "t", List.of("2021-01-01", "de"), STORAGE, COLUMNS, Map.of("numFiles", "1"), Optional.of(1L), false,
                true, 1, 1,
                Optional.empty());
        excusingTable()
                .excusing("Table.parameters", "the partition's tell of the partition's files")
                .excusing("Partition.catalogName", "the catalog's own")
                .excusing("Partition.databaseName", "the table's")
                .excusing("Partition.tableName", "the table's")
                .excusing("Partition.storage", "the path is the directory's own; else " + ROWS)
                .excusing("Partition.columns", ROWS)
                .excusing("Partition.partitionVersion", VERSION)
                .excusing("Partition.eligibleToIgnore", ROWS)
                .excusing("Partition.sealedPartition", "directories that are not sealed are not kept")
                .excusing("Partition.createTime", VERSION)
                .excusing("Partition.lastDataCommitTime", VERSION)
                .excusing("Partition.rowIdPartitionComponent", ROWS)
                .assertEachTells(new Directory("query", "alice", "s3://a/t/p", "recursive", table(Map.of()), Optional.of(partition)), lists::key);
    }

    private static FieldMutations excusingTable()
    {
        return new FieldMutations()
                .excusing("Directory.queryId", "queries share lists of the same version")
                .excusing("Table.catalogName", "the catalog's own")
                .excusing("Table.owner", ROWS)
                .excusing("Table.tableType", ROWS)
                .excusing("Table.dataColumns", ROWS)
                .excusing("Table.partitionColumns", ROWS)
                .excusing("Table.storage", "the path is the directory's own; else " + ROWS)
                .excusing("Table.viewOriginalText", ROWS)
                .excusing("Table.viewExpandedText", ROWS);
    }

    private static Table table(Map<String, String> parameters)
    {
        return new Table(Optional.empty(), "db", "t", "owner", PrestoTableType.MANAGED_TABLE, STORAGE, COLUMNS, List.of(), parameters, Optional
                .empty(), Optional
                        .empty());
    }
}
