// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.presto.hive.HiveColumnConverterProvider;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.ExtendedHiveMetastore;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.MetastoreUtil;
import com.facebook.presto.hive.metastore.PrestoTableType;
import com.facebook.presto.hive.metastore.Table;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.SchemaTableName;
import com.google.inject.Inject;
import io.eyrie.cache.config.NearestName;
import io.eyrie.presto.control.ControlState.Target;
import io.eyrie.presto.ledger.Ledger;

import java.io.Serial;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.facebook.presto.spi.StandardErrorCode.NOT_FOUND;
import static java.util.Objects.requireNonNull;

/**
 * Checks in the metastore that the schema, table or partition of an operator's command exists. The message for one that does not names the most similar one
 * that the user may see. Thread-safe.
 */
public final class ExistingNames
{
    private final ExtendedHiveMetastore metastore;
    private final OperatorRights rights;
    private final Ledger ledger;

    /** Thrown for a name that does not exist. */
    private static final class MissingNameException
            extends IllegalArgumentException
    {
        @Serial
        private static final long serialVersionUID = 1;

        private MissingNameException(String message)
        {
            super(message);
        }
    }

    @Inject
    public ExistingNames(ExtendedHiveMetastore metastore, OperatorRights rights, Ledger ledger)
    {
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.metastore = requireNonNull(metastore, "metastore is null");
        this.rights = requireNonNull(rights, "rights is null");
    }

    /** Returns if a table exists and has data of its own; otherwise throws an exception for its user. */
    public void check(ConnectorSession session, SchemaTableName table)
    {
        try {
            check(session, new Target(table.getSchemaName(), table.getTableName(), ""));
        }
        catch (IllegalArgumentException e) {
            throw new PrestoException(NOT_FOUND, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Returns if each name of a target exists.
     *
     * @throws IllegalArgumentException if one does not, or if the table has no data of its own
     */
    void check(ConnectorSession session, Target target)
    {
        if (target.schema().isEmpty()) {
            return;
        }
        MetastoreContext context = context(session);
        if (metastore.getDatabase(context, target.schema()).isEmpty()) {
            Set<String> schemas = rights.visibleSchemas(session, Set.copyOf(metastore.getAllDatabases(context)));
            throw missing("Schema '" + target.schema() + "'", NearestName.of(target.schema(), schemas), literal(target.schema()));
        }
        if (target.table().isEmpty()) {
            return;
        }
        Optional<Table> table = metastore.getTable(context, target.schema(), target.table());
        // a table that the user may not see is treated as missing
        if (table.isEmpty() || !isVisible(session, target)) {
            throw missing("Table '" + target.schema() + "." + target.table() + "'",
                    NearestName.of(target.table(), tables(session, context, target.schema())),
                    literal(target.table()));
        }
        if (table.get().getTableType() == PrestoTableType.VIRTUAL_VIEW) {
            throw new IllegalArgumentException("'" + target.schema() + "." + target.table()
                    + "' is a view, of which nothing is cached: name the tables that it reads");
        }
        if (!target.partition().isEmpty()) {
            checkPartition(context, table.get(), target.partition());
        }
    }

    /**
     * Returns if each name of a target exists, or if this node has seen files of the target. So a dropped table can be named, and any table while the metastore
     * does not answer.
     *
     * @throws IllegalArgumentException as {@link #check}
     */
    void checkSeen(ConnectorSession session, Target target)
    {
        try {
            check(session, target);
        }
        catch (MissingNameException | PrestoException e) {
            if (!ledger.hasSeenFiles(ledger.scope(target.schema(), target.table(), target.partition())) || !isVisible(session, target)) {
                throw e;
            }
        }
    }

    private boolean isVisible(ConnectorSession session, Target target)
    {
        return target.table().isEmpty()
                ? rights.visibleSchemas(session, Set.of(target.schema())).contains(target.schema())
                : !rights.visibleTables(session, Set.of(new SchemaTableName(target.schema(), target.table()))).isEmpty();
    }

    private Set<String> tables(ConnectorSession session, MetastoreContext context, String schema)
    {
        Set<SchemaTableName> all = metastore.getAllTables(context, schema).orElse(List.of()).stream().map(name -> new SchemaTableName(schema, name))
                .collect(Collectors.toSet());
        return rights.visibleTables(session, all).stream().map(SchemaTableName::getTableName).collect(Collectors.toSet());
    }

    private void checkPartition(MetastoreContext context, Table table, String partition)
    {
        String name = table.getDatabaseName() + "." + table.getTableName();
        List<String> columns = table.getPartitionColumns().stream().map(Column::getName).toList();
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("partition_name is '" + partition + "', but table '" + name + "' has no partitions: omit it");
        }
        List<String> named = Stream.of(partition.split("/", -1)).map(part -> part.substring(0, Math.max(0, part.indexOf('=')))).toList();
        if (!named.equals(columns)) {
            throw new IllegalArgumentException("partition_name is '" + partition + "', but the partitions of table '" + name + "' are named "
                    + columns.stream().map(column -> column + "=…").collect(Collectors.joining("/")));
        }
        List<String> values = MetastoreUtil.toPartitionValues(partition);
        // caches know a partition by its escaped name only
        String escaped = MetastoreUtil.makePartName(table.getPartitionColumns(), values);
        if (!escaped.equals(partition)) {
            throw missing("Partition '" + partition + "' of table '" + name + "'", Optional.of(escaped), "");
        }
        if (metastore.getPartition(context, table.getDatabaseName(), table.getTableName(), values).isEmpty()) {
            // the metastore could only return all names of the table, which may be millions
            List<String> seen = ledger.partitionsOf(ledger.scope(table.getDatabaseName(), table.getTableName(), ""));
            throw missing("Partition '" + partition + "' of table '" + name + "'", NearestName.of(partition, seen), ". To list them: SELECT * FROM \""
                    + table.getDatabaseName() + "\".\"" + table.getTableName() + "$partitions\"");
        }
    }

    private static MissingNameException missing(String what, Optional<String> nearest, String otherwise)
    {
        return new MissingNameException(what + " does not exist" + nearest.map(name -> ". Did you mean '" + name + "'?").orElse(otherwise));
    }

    private static String literal(String name)
    {
        return name.contains("*") ? ". Names are literal here: to name all tables of a schema, omit table_name" : "";
    }

    private static MetastoreContext context(ConnectorSession session)
    {
        return new MetastoreContext(
                session.getIdentity(),
                session.getQueryId(),
                session.getClientInfo(),
                session.getClientTags(),
                session.getSource(),
                MetastoreUtil.getMetastoreHeaders(session),
                MetastoreUtil.isUserDefinedTypeEncodingEnabled(session),
                HiveColumnConverterProvider.DEFAULT_COLUMN_CONVERTER_PROVIDER,
                session.getWarningCollector(),
                session.getRuntimeStats());
    }
}
