// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.presto.common.Subfield;
import com.facebook.presto.hive.HiveMetadataFactory;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.hive.HiveTransactionManager;
import com.facebook.presto.hive.TransactionalMetadata;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.QueryId;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.connector.ConnectorAccessControl;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.security.AccessControlContext;
import com.facebook.presto.spi.security.AccessDeniedException;
import com.google.inject.Inject;
import io.eyrie.presto.config.ControlConfig;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Checks which users may control the caches: those whom the connector's access control lets set the catalog's session property named like the procedure or
 * function, and whom {@code cache.operators} names, if it is set or Presto has a system access control. The engine asks no access control about procedures and
 * table functions, and a connector cannot ask that of the system (decision 0023). Thread-safe.
 */
public final class OperatorRights
{
    /** The file that the engine reads, in the working directory of its process. */
    private static final Path SYSTEM = Path.of("etc", "access-control.properties");
    /** The access controls of the engine that let all users read all tables. */
    private static final Set<String> UNRESTRICTED = Set.of("allow-all", "read-only");

    private final Optional<Set<String>> operators;
    private final boolean systemControls;
    private final ConnectorAccessControl accessControl;
    private final HiveTransactionManager transactions;
    private final Supplier<TransactionalMetadata> metadata;

    @Inject
    public OperatorRights(ControlConfig config, ConnectorAccessControl accessControl, HiveTransactionManager transactions,
            HiveMetadataFactory metadata)
    {
        this(config.operators(), SYSTEM, accessControl, transactions, metadata);
    }

    OperatorRights(Optional<Set<String>> operators, Path system, ConnectorAccessControl accessControl, HiveTransactionManager transactions,
            Supplier<TransactionalMetadata> metadata)
    {
        this.operators = requireNonNull(operators, "operators is null");
        systemControls = restricts(system);
        this.accessControl = requireNonNull(accessControl, "accessControl is null");
        this.transactions = requireNonNull(transactions, "transactions is null");
        this.metadata = requireNonNull(metadata, "metadata is null");
    }

    /** Returns if the session's user may call the procedure or function; otherwise throws the exception of the access control. */
    public void checkMayCall(ConnectorSession session, String name)
    {
        if (operators.isPresent() ? !operators.get().contains(session.getUser()) : systemControls) {
            throw new AccessDeniedException("User " + session.getUser() + " cannot call system." + name + ": cache.operators does not name the user"
                    + (systemControls ? ", which is necessary with a system access control of Presto (etc/access-control.properties)" : ""));
        }
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

    private static boolean restricts(Path system)
    {
        Properties properties = new Properties();
        try (BufferedReader in = Files.newBufferedReader(system)) {
            properties.load(in);
        }
        catch (NoSuchFileException e) {
            return false;
        }
        catch (IOException | IllegalArgumentException e) {
            return true;
        }
        return !UNRESTRICTED.contains(properties.getProperty("access-control.name", ""));
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
