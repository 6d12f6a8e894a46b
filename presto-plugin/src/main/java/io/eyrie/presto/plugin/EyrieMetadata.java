// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.hive.HiveClientConfig.InsertExistingPartitionsBehavior;
import com.facebook.presto.hive.HiveInsertTableHandle;
import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ColumnMetadata;
import com.facebook.presto.spi.ConnectorInsertTableHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorTableHandle;
import com.facebook.presto.spi.ConnectorTableLayout;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.ConnectorTableLayoutResult;
import com.facebook.presto.spi.Constraint;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import com.facebook.presto.spi.connector.ConnectorOutputMetadata;
import com.facebook.presto.spi.connector.ConnectorPartitioningHandle;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.connector.TableFunctionApplicationResult;
import com.facebook.presto.spi.connector.classloader.ClassLoaderSafeConnectorMetadata;
import com.facebook.presto.spi.function.table.ConnectorTableFunctionHandle;
import com.facebook.presto.spi.statistics.ComputedStatistics;
import com.facebook.presto.spi.statistics.TableStatistics;
import io.airlift.slice.Slice;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.JoinedTableHandle;
import io.eyrie.presto.handle.LeafColumns;
import io.eyrie.presto.metastore.TransactionObserver;
import io.eyrie.presto.warm.WarmHandle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

import static com.facebook.presto.hive.HiveSessionProperties.getInsertExistingPartitionsBehavior;
import static java.util.Objects.requireNonNull;

/**
 * Hive's metadata as the engine sees it in one transaction. It converts every layout to the class that the handle resolver names, because the engine
 * requests some layouts after the optimizers have run: for temporary tables and for other bucket counts. It resolves the columns of leaves, creates the scans
 * of {@code warm_cache}, refuses to delete what the plan of a leaf no longer filters, and reports the tables whose files are replaced.
 *
 * <p>Everything else is forwarded by the engine's own class for that purpose, which also covers methods that a later release of Presto adds.
 * {@link SpiCheck} verifies at the start that the engine has the methods that this class overrides.
 */
final class EyrieMetadata
        extends ClassLoaderSafeConnectorMetadata
{
    private final ConnectorMetadata hive;
    private final ConnectorTransactionHandle transaction;
    private final TransactionObserver queries;

    EyrieMetadata(ConnectorMetadata hive, ConnectorTransactionHandle transaction, TransactionObserver queries, CacheModes modes)
    {
        super(observed(hive, modes::remember), EyrieMetadata.class.getClassLoader());
        this.hive = requireNonNull(hive, "hive is null");
        this.transaction = requireNonNull(transaction, "transaction is null");
        this.queries = requireNonNull(queries, "queries is null");
    }

    /*
     * Notifies an observer of the session of each call. A proxy, because almost all of the interface's hundred methods have a session, those of later
     * releases, too, and any of them may be the first of a query. It depends on no method's name.
     */
    private static ConnectorMetadata observed(ConnectorMetadata hive, Consumer<ConnectorSession> observer)
    {
        return (ConnectorMetadata) Proxy.newProxyInstance(EyrieMetadata.class.getClassLoader(), new Class<?>[] {ConnectorMetadata.class}, (
                proxy, method, arguments) -> {
            if (arguments != null && arguments.length > 0 && arguments[0] instanceof ConnectorSession session) {
                observer.accept(session);
            }
            try {
                return method.invoke(hive, arguments);
            }
            catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /**
     * Ends the query's use of cached lists. A successful query has been committed before; the client of a failed one has no result yet, so it cannot have
     * started another query.
     */
    @Override
    public void cleanupQuery(ConnectorSession session)
    {
        queries.listsEnded(transaction, true);
        // not observed: the session of a cleanup has no catalog properties
        hive.cleanupQuery(session);
    }

    @Override
    public OptionalLong metadataDelete(ConnectorSession session, ConnectorTableHandle table, ConnectorTableLayoutHandle layout)
    {
        if (EyrieLayoutHandle.isLeaf(layout)) {
            throw new IllegalStateException("The plan lacks the filter of a leaf fragment: the DELETE would remove too many rows");
        }
        queries.rewrites(transaction, ((HiveTableHandle) table).getSchemaTableName());
        return super.metadataDelete(session, table, layout);
    }

    @Override
    public void truncateTable(ConnectorSession session, ConnectorTableHandle table)
    {
        queries.rewrites(transaction, ((HiveTableHandle) table).getSchemaTableName());
        super.truncateTable(session, table);
    }

    @Override
    public Optional<ConnectorOutputMetadata> finishInsert(
            ConnectorSession session,
            ConnectorInsertTableHandle table,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> statistics)
    {
        SchemaTableName name = ((HiveInsertTableHandle) table).getSchemaTableName();
        if (getInsertExistingPartitionsBehavior(session) == InsertExistingPartitionsBehavior.OVERWRITE) {
            queries.rewrites(transaction, name);
        }
        Optional<ConnectorOutputMetadata> written = super.finishInsert(session, table, fragments, statistics);
        queries.wrote(transaction, name);
        return written;
    }

    @Override
    public Optional<ConnectorOutputMetadata> finishRefreshMaterializedView(
            ConnectorSession session,
            ConnectorInsertTableHandle view,
            Collection<Slice> fragments,
            Collection<ComputedStatistics> statistics)
    {
        SchemaTableName name = ((HiveInsertTableHandle) view).getSchemaTableName();
        queries.rewrites(transaction, name);
        Optional<ConnectorOutputMetadata> written = super.finishRefreshMaterializedView(session, view, fragments, statistics);
        queries.wrote(transaction, name);
        return written;
    }

    @Override
    public Optional<TableFunctionApplicationResult<ConnectorTableHandle>> applyTableFunction(
            ConnectorSession session,
            ConnectorTableFunctionHandle function)
    {
        return function instanceof WarmHandle warm ? Optional.of(warm.scan()) : super.applyTableFunction(session, function);
    }

    @Override
    public ConnectorTableLayoutHandle getAlternativeLayoutHandle(
            ConnectorSession session,
            ConnectorTableLayoutHandle layout,
            ConnectorPartitioningHandle partitioning)
    {
        return EyrieLayoutHandle.like(layout, super.getAlternativeLayoutHandle(session, layout, partitioning));
    }

    @Override
    public ConnectorTableLayout getTableLayout(ConnectorSession session, ConnectorTableLayoutHandle layout)
    {
        return layout instanceof EyrieLayoutHandle handle
                ? handle.described().orElseGet(() -> remember(handle, own(super.getTableLayout(session, handle))))
                : own(super.getTableLayout(session, layout));
    }

    @Override
    public ConnectorTableLayoutResult getTableLayoutForConstraint(
            ConnectorSession session,
            ConnectorTableHandle table,
            Constraint<ColumnHandle> constraint,
            Optional<Set<ColumnHandle>> columns)
    {
        return table instanceof JoinedTableHandle joined
                ? joined(session, joined, constraint)
                : own(super.getTableLayoutForConstraint(session, table, constraint, columns));
    }

    @Override
    @SuppressWarnings("deprecation") // the engine still calls it
    public List<ConnectorTableLayoutResult> getTableLayouts(
            ConnectorSession session,
            ConnectorTableHandle table,
            Constraint<ColumnHandle> constraint,
            Optional<Set<ColumnHandle>> columns)
    {
        return table instanceof JoinedTableHandle joined
                ? List.of(joined(session, joined, constraint))
                : super.getTableLayouts(session, table, constraint, columns).stream().map(this::own).toList();
    }

    @Override
    public ColumnMetadata getColumnMetadata(ConnectorSession session, ConnectorTableHandle table, ColumnHandle column)
    {
        return super.getColumnMetadata(session, table, LeafColumns.reported(column));
    }

    @Override
    public TableStatistics getTableStatistics(
            ConnectorSession session,
            ConnectorTableHandle table,
            Optional<ConnectorTableLayoutHandle> layout,
            List<ColumnHandle> columns,
            Constraint<ColumnHandle> constraint)
    {
        return super.getTableStatistics(
                session, table, layout, columns.stream().filter(column -> !LeafColumns.isComputed(column)).toList(), constraint);
    }

    /* The table of joins has one layout, whatever the engine asks for; the engine enforces its constraint. */
    private ConnectorTableLayoutResult joined(ConnectorSession session, JoinedTableHandle table, Constraint<ColumnHandle> constraint)
    {
        return new ConnectorTableLayoutResult(getTableLayout(session, table.layout()), constraint.getSummary());
    }

    private ConnectorTableLayoutResult own(ConnectorTableLayoutResult result)
    {
        ConnectorTableLayout layout = own(result.getTableLayout());
        return new ConnectorTableLayoutResult(remember(layout.getHandle(), layout), result.getUnenforcedConstraint());
    }

    /* While it plans, the engine asks for the layout of the same handle a dozen times, and Hive sorts the values of all partitions each time. */
    private static ConnectorTableLayout remember(ConnectorTableLayoutHandle handle, ConnectorTableLayout layout)
    {
        if (handle instanceof EyrieLayoutHandle own) {
            own.describe(layout);
        }
        return layout;
    }

    private static ConnectorTableLayout own(ConnectorTableLayout layout)
    {
        ConnectorTableLayoutHandle handle = EyrieLayoutHandle.own(layout.getHandle());
        if (EyrieLayoutHandle.isJoined(handle)) {
            // the table's partitioning and buckets are about columns that this scan does not return
            return new ConnectorTableLayout(
                    handle, layout.getColumns(), layout.getPredicate(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());
        }
        return new ConnectorTableLayout(
                handle,
                layout.getColumns(),
                layout.getPredicate(),
                layout.getTablePartitioning(),
                layout.getStreamPartitioningColumns(),
                layout.getDiscretePredicates(),
                handle instanceof EyrieLayoutHandle own ? own.localProperties(layout.getLocalProperties()) : layout.getLocalProperties(),
                layout.getRemainingPredicate(),
                layout.getUniqueColumn());
    }
}
