// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveFileInfo;
import com.facebook.presto.hive.HivePartition;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.google.common.collect.ImmutableList;
import io.eyrie.metastore.files.Directory;
import io.eyrie.metastore.files.FileListConfig;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.metastore.files.ListStore;
import io.eyrie.metastore.files.TableVersions;
import io.eyrie.presto.config.EyrieFileListConfig;
import io.eyrie.presto.handle.HiveLayouts;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.listing.PrefixListings;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** How transactions end: their scans no longer count among the running ones, which together list at most 250,000 partitions by prefix. */
class TransactionObserverTest
{
    private static final int MORE_THAN_HALF = 130_000;

    private final PrefixListings prefixes = new PrefixListings(new EyrieFileListConfig());
    private final FileLists lists = lists(TableVersions.UNKNOWN);
    private final TransactionObserver queries = new TransactionObserver(lists, new Ledger("eyrie"), prefixes);
    private final List<RuntimeStats> kept = new ArrayList<>(); // listings refer to them weakly
    private final ConnectorTransactionHandle transaction = new HiveTransactionHandle();
    private final ConnectorTransactionHandle next = new HiveTransactionHandle();

    @Test
    void scansOfRunningTransactions()
    {
        queries.began(transaction);
        queries.began(next);
        assertThat(isListedByPrefix(transaction)).isTrue();
        assertThat(isListedByPrefix(next)).isFalse();
        queries.ended(transaction, false);
        queries.listsEnded(next, true);
        assertThat(isListedByPrefix(next)).as("the next query of the transaction").isTrue();
        queries.ended(next, true);
        queries.began(transaction);
        assertThat(isListedByPrefix(transaction)).isTrue();
    }

    /* The engine rolls the transaction of a canceled query back and does not stop its planning. */
    @Test
    void scanThatStartsAfterTheEndOfItsTransaction()
    {
        queries.began(transaction);
        queries.began(next);
        queries.listsEnded(transaction, true);
        queries.ended(transaction, true);
        isListedByPrefix(transaction);
        assertThat(isListedByPrefix(next)).isTrue();
    }

    /* As on Glue, if neither the table nor the partition has statistics: no parameter changes. */
    @Test
    void insertThatNothingReports()
    {
        insert(lists, queries, transaction);
        assertThat(lists.isKept(directory())).isFalse();
    }

    @Test
    void insertThatTheMetastoreCacheReports()
    {
        FileLists versioned = lists((queryId, database, table, values) -> Optional.of("version"));
        insert(versioned, new TransactionObserver(versioned, new Ledger("eyrie"), prefixes), transaction);
        assertThat(versioned.isKept(directory())).as("other partitions").isTrue();
    }

    private static void insert(FileLists into, TransactionObserver observer, ConnectorTransactionHandle of)
    {
        observer.began(of);
        observer.wrote(of, new SchemaTableName("db", "t"));
        HiveFileInfo file = new HiveFileInfo("s3://lake/t/file", false, ImmutableList.of(), 1, 1, Optional.empty(), Map.of());
        assertThat(into.list(directory(), of, () -> List.of(file).iterator())).hasNext();
        assertThat(into.isKept(directory())).isTrue();
        observer.ended(of, false);
    }

    private static Directory directory()
    {
        Table table = Table.builder()
                .setDatabaseName("db")
                .setTableName("t")
                .setOwner("owner")
                .setTableType(PrestoTableType.MANAGED_TABLE)
                .setDataColumns(List.of())
                .setPartitionColumns(List.of())
                .setParameters(Map.of())
                .withStorage(storage -> storage.setStorageFormat(StorageFormat.create("serde", "in", "out")).setLocation("s3://lake/t"))
                .build();
        return new Directory("query", "", "s3://lake/t", "", table, Optional.empty());
    }

    private static FileLists lists(TableVersions versions)
    {
        return new FileLists(new FileListConfig(List.of("*"), 1 << 20, 1000, Duration.ofDays(1), Duration.ofMinutes(1), Optional.empty()), versions,
                ListStore.NONE);
    }

    private boolean isListedByPrefix(ConnectorTransactionHandle of)
    {
        long before = prefixes.tooLarge();
        RuntimeStats stats = new RuntimeStats();
        kept.add(stats);
        queries.scanStarts(of, Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getRuntimeStats" -> stats;
            default -> "query";
        }), layout());
        return prefixes.tooLarge() == before;
    }

    private static HiveTableLayoutHandle layout()
    {
        HivePartition partition = new HivePartition(HiveLayouts.ORDERS.getSchemaTableName(), new PartitionNameWithVersion("p=1", Optional.empty()),
                Map.of());
        return HiveLayouts.ORDERS.builder().setPartitions(Optional.of(Collections.nCopies(MORE_THAN_HALF, partition))).build();
    }
}
