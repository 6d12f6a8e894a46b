// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.google.inject.Inject;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.listing.PrefixListings;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;

import static java.util.Objects.requireNonNull;

/**
 * Notifies the file lists of how queries that received cached lists end, and of tables whose files are deleted without a change in the metastore. Notifies the
 * listings by prefix of scans. A lister knows a query by its runtime statistics, a connector by its transaction; the split manager sees both.
 */
public final class TransactionObserver
{
    private final FileLists lists;
    private final Ledger ledger;
    private final PrefixListings prefixes;
    // a query that was canceled may start a scan, or rewrite a table, after its transaction ended: that fails, and is not registered
    private final ConcurrentMap<ConnectorTransactionHandle, RunningTransaction> transactions = new ConcurrentHashMap<>();

    /**
     * A transaction.
     *
     * @param readAgain written tables that the transaction scanned later
     */
    private record RunningTransaction(Queue<RuntimeStats> queries, Set<SchemaTableName> rewritten, Set<SchemaTableName> written,
            Set<SchemaTableName> readAgain)
    {}

    @Inject
    public TransactionObserver(FileLists lists, Ledger ledger, PrefixListings prefixes)
    {
        this.prefixes = requireNonNull(prefixes, "prefixes is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.lists = requireNonNull(lists, "lists is null");
    }

    /** Registers a transaction before its first query. */
    public void began(ConnectorTransactionHandle transaction)
    {
        transactions.put(transaction, new RunningTransaction(
                new ConcurrentLinkedQueue<>(),
                ConcurrentHashMap.newKeySet(),
                ConcurrentHashMap.newKeySet(),
                ConcurrentHashMap.newKeySet()));
    }

    /** Registers a scan, and its query, before it requests splits. */
    public void scanStarts(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableLayoutHandle layout)
    {
        ledger.began(session.getQueryId(), session.getRuntimeStats());
        ledger.began(session.getQueryId(), session.getUser());
        RunningTransaction running = transactions.get(transaction);
        if (running != null) {
            running.queries().add(session.getRuntimeStats());
            prefixes.began(session.getRuntimeStats(), layout);
            if (layout instanceof HiveTableLayoutHandle hive && running.written().contains(hive.getSchemaTableName())) {
                running.readAgain().add(hive.getSchemaTableName());
                forgetWritten(hive.getSchemaTableName());
            }
        }
    }

    /**
     * Registers a table whose files a transaction deletes. Presto overwrites partitions (on object stores) and empties tables (on any store) by deleting
     * files, without a change in the metastore.
     */
    public void rewrites(ConnectorTransactionHandle transaction, SchemaTableName table)
    {
        RunningTransaction running = transactions.get(transaction);
        if (running != null) {
            running.rewritten().add(table);
        }
    }

    /**
     * Registers a table into which a transaction has written. Presto writes into the directories of existing partitions, and reports that to the metastore when the
     * transaction commits, so that these partitions have other versions, and the lists of the others remain. Without the metastore cache, there are no versions, and
     * no list of the table remains. Later queries of the transaction must find the files before the commit, and others must not find them after a rollback.
     */
    public void wrote(ConnectorTransactionHandle transaction, SchemaTableName table)
    {
        RunningTransaction running = transactions.get(transaction);
        if (running != null) {
            running.written().add(table);
        }
    }

    private void forgetWritten(SchemaTableName table)
    {
        lists.forgetWritten(table.getSchemaName(), table.getTableName());
    }

    /** Ends a transaction, after its tables were rewritten. */
    public void ended(ConnectorTransactionHandle transaction, boolean failed)
    {
        RunningTransaction ended = transactions.remove(transaction);
        if (ended != null) {
            ended.rewritten().forEach(table -> lists.forgetTable(table.getSchemaName(), table.getTableName()));
            Set<SchemaTableName> changed = failed || lists.knowOnlyParameters() ? ended.written() : ended.readAgain();
            changed.stream().filter(table -> !ended.rewritten().contains(table)).forEach(this::forgetWritten);
            listsEnded(ended, failed);
        }
    }

    /** Ends the use of cached lists by the queries of a transaction so far. */
    public void listsEnded(ConnectorTransactionHandle transaction, boolean failed)
    {
        RunningTransaction running = transactions.get(transaction);
        if (running != null) {
            listsEnded(running, failed);
        }
    }

    private void listsEnded(RunningTransaction transaction, boolean failed)
    {
        for (RuntimeStats query = transaction.queries().poll(); query != null; query = transaction.queries().poll()) {
            lists.ended(query, failed);
            prefixes.ended(query);
        }
    }
}
