// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.presto.common.Subfield;
import com.facebook.presto.hive.HiveMetadataFactory;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.hive.HiveTransactionManager;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.QueryId;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.connector.ConnectorAccessControl;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.security.AccessControlContext;
import com.google.inject.Inject;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * Checks which users may control the caches: those whom the connector's access control lets set the catalog's session property named like the procedure or
 * function. Thread-safe.
 */
public final class OperatorRights
{
    private final ConnectorAccessControl accessControl;
    private final HiveTransactionManager transactions;
    private final HiveMetadataFactory metadata;

    @Inject
    public OperatorRights(ConnectorAccessControl accessControl, HiveTransactionManager transactions, HiveMetadataFactory metadata)
    {
        this.accessControl = requireNonNull(accessControl, "accessControl is null");
        this.transactions = requireNonNull(transactions, "transactions is null");
        this.metadata = requireNonNull(metadata, "metadata is null");
    }

    /** Returns if the session's user may call the procedure or function; otherwise throws the exception of the access control. */
    public void checkMayCall(ConnectorSession session, String name)
    {
        boolean unused = inTransaction(transaction -> {
            accessControl.checkCanSetCatalogSessionProperty(transaction, session.getIdentity(), context(session), name);
            return true;
        });
    }

    /** Returns if the session's user may read columns of a table; otherwise throws the exception of the access control. */
    public void checkMayRead(ConnectorSession session, ConnectorTransactionHandle transaction, SchemaTableName table, Collection<Subfield> columns)
    {
        accessControl.checkCanSelectFromColumns(transaction, session.getIdentity(), context(session), table, Set.copyOf(columns));
    }

    /** Returns those of the schemas that the session's user may see. */
    Set<String> visibleSchemas(ConnectorSession session, Set<String> schemas)
    {
        return inTransaction(transaction -> accessControl.filterSchemas(transaction, session.getIdentity(), context(session), schemas));
    }

    /** Returns those of the tables that the session's user may see. */
    Set<SchemaTableName> visibleTables(ConnectorSession session, Set<SchemaTableName> tables)
    {
        return inTransaction(transaction -> accessControl.filterTables(transaction, session.getIdentity(), context(session), tables));
    }

    private <T> T inTransaction(Function<HiveTransactionHandle, T> action)
    {
        HiveTransactionHandle transaction = new HiveTransactionHandle();
        transactions.put(transaction, metadata.get());
        try {
            return action.apply(transaction);
        }
        finally {
            transactions.remove(transaction);
        }
    }

    private static AccessControlContext context(ConnectorSession session)
    {
        return new AccessControlContext(
                new QueryId(session.getQueryId()),
                session.getClientInfo(),
                session.getClientTags(),
                session.getSource(),
                session.getWarningCollector(),
                session.getRuntimeStats(),
                session.getQueryType(),
                Optional.empty(),
                session.getSchema());
    }
}
