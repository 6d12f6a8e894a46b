// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.spi.FixedPageSource;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorCommitHandle;
import com.facebook.presto.spi.connector.ConnectorIndexProvider;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.function.table.ConnectorTableFunction;
import com.facebook.presto.spi.transaction.IsolationLevel;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.metastore.TransactionObserver;
import io.eyrie.presto.warm.WarmFunction;

import java.util.List;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * The Hive connector as the engine sees it: with {@link EyrieMetadata}, the table function {@code warm_cache}, indexes that name tables, and
 * file lists that are notified of the beginnings and ends of transactions. Hive's own optimizers use the connector behind it, because they expect its {@code HiveMetadata}.
 */
final class EyrieConnector
        extends ForwardingConnector
{
    private final TransactionObserver queries;
    private final CacheModes modes;
    private final WarmFunction warm;

    EyrieConnector(Connector hive, TransactionObserver queries, CacheModes modes, WarmFunction warm)
    {
        super(hive);
        this.queries = requireNonNull(queries, "queries is null");
        this.modes = requireNonNull(modes, "modes is null");
        this.warm = requireNonNull(warm, "warm is null");
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly)
    {
        ConnectorTransactionHandle transaction = super.beginTransaction(isolationLevel, readOnly);
        queries.began(transaction);
        return transaction;
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorTransactionHandle transaction)
    {
        return new EyrieMetadata(super.getMetadata(transaction), transaction, queries, modes);
    }

    /** Returns indexes without rows: no key is ever looked up in them. */
    @Override
    public ConnectorIndexProvider getIndexProvider()
    {
        return (transaction, session, table, keys, columns) -> rows -> new FixedPageSource(List.of());
    }

    @Override
    public Set<ConnectorTableFunction> getTableFunctions()
    {
        return Set.of(warm);
    }

    @Override
    public ConnectorCommitHandle commit(ConnectorTransactionHandle transaction)
    {
        boolean committed = false;
        try {
            ConnectorCommitHandle handle = super.commit(transaction);
            committed = true;
            return handle;
        }
        finally {
            queries.ended(transaction, !committed);
        }
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction)
    {
        try {
            super.rollback(transaction);
        }
        finally {
            queries.ended(transaction, true);
        }
    }
}
