// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveClientConfig.InsertExistingPartitionsBehavior;
import com.facebook.presto.hive.HiveInsertTableHandle;
import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.google.inject.Inject;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.listing.PrefixListings;
import io.eyrie.presto.proxy.Proxies;

import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;

import static com.facebook.presto.hive.HiveSessionProperties.getInsertExistingPartitionsBehavior;
import static java.util.Objects.requireNonNull;

/**
 * Notifies the file lists of how queries that received cached lists end, and of tables whose files are deleted without a change in the metastore. Notifies the
 * listings by prefix of scans. A lister knows a query by its runtime statistics, a connector by its transaction; the split manager sees both.
 */
public final class ListsOfQueries
{
    private final FileLists lists;
    private final Ledger ledger;
    private final CacheModes modes;
    private final PrefixListings prefixes;
    private final ConcurrentMap<ConnectorTransactionHandle, Queue<RuntimeStats>> queries = new ConcurrentHashMap<>();
    private final ConcurrentMap<ConnectorTransactionHandle, Set<SchemaTableName>> rewritten = new ConcurrentHashMap<>();

    @Inject
    public ListsOfQueries(FileLists lists, Ledger ledger, CacheModes modes, PrefixListings prefixes)
    {
        this.prefixes = requireNonNull(prefixes, "prefixes is null");
        this.modes = requireNonNull(modes, "modes is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.lists = requireNonNull(lists, "lists is null");
    }

    /** Returns the split manager, which also registers each scan and its query. */
    public ConnectorSplitManager watched(ConnectorSplitManager splits)
    {
        return (transaction, session, layout, context) -> {
            queries.computeIfAbsent(transaction, ignored -> new ConcurrentLinkedQueue<>()).add(session.getRuntimeStats());
            ledger.began(session.getQueryId(), session.getRuntimeStats());
            prefixes.began(session.getRuntimeStats(), layout);
            return splits.getSplits(transaction, session, layout, context);
        };
    }

    /** Returns the connector, which also reports the ends of queries and the tables that they rewrite. */
    public Connector watched(Connector connector)
    {
        return Proxies.of(Connector.class, (proxy, method, arguments) -> {
            try {
                Object answer = Proxies.invoke(connector, method, arguments);
                return answer instanceof ConnectorMetadata metadata ? watched((ConnectorTransactionHandle) arguments[0], metadata) : answer;
            }
            finally {
                if (List.of("commit", "rollback").contains(method.getName())) {
                    ended((ConnectorTransactionHandle) arguments[0], method.getName().equals("rollback"));
                }
            }
        });
    }

    private ConnectorMetadata watched(ConnectorTransactionHandle transaction, ConnectorMetadata metadata)
    {
        return Proxies.of(ConnectorMetadata.class, (proxy, method, arguments) -> {
            if (method.getName().equals("cleanupQuery")) {
                // a successful query has been committed before; the client of a failed one has no result yet, so it cannot have started another query
                listsEnded(transaction, true);
            }
            // the session of a cleanup has no catalog properties
            else if (arguments != null && arguments.length > 0 && arguments[0] instanceof ConnectorSession session) {
                modes.remember(session);
            }
            rewrites(method.getName(), arguments).ifPresent(
                    table -> rewritten.computeIfAbsent(transaction, ignored -> ConcurrentHashMap.newKeySet()).add(table));
            return Proxies.invoke(metadata, method, arguments);
        });
    }

    /* Presto overwrites partitions (on object stores) and empties tables (on any store) by deleting files, without a change in the metastore. */
    private static Optional<SchemaTableName> rewrites(String method, Object[] arguments)
    {
        return switch (method) {
            case "finishInsert", "finishRefreshMaterializedView" -> {
                HiveInsertTableHandle table = (HiveInsertTableHandle) arguments[1];
                boolean appends = method.equals("finishInsert")
                        && getInsertExistingPartitionsBehavior((ConnectorSession) arguments[0]) != InsertExistingPartitionsBehavior.OVERWRITE;
                yield appends ? Optional.empty() : Optional.of(new SchemaTableName(table.getSchemaName(), table.getTableName()));
            }
            case "metadataDelete", "truncateTable" -> Optional.of(((HiveTableHandle) arguments[1]).getSchemaTableName());
            default -> Optional.empty();
        };
    }

    private void ended(ConnectorTransactionHandle transaction, boolean failed)
    {
        Set<SchemaTableName> tables = rewritten.remove(transaction);
        if (tables != null) {
            tables.forEach(table -> lists.forgetTable(table.getSchemaName(), table.getTableName()));
        }
        listsEnded(transaction, failed);
    }

    private void listsEnded(ConnectorTransactionHandle transaction, boolean failed)
    {
        Queue<RuntimeStats> ended = queries.remove(transaction);
        if (ended != null) {
            ended.forEach(query -> {
                lists.ended(query, failed);
                prefixes.ended(query);
            });
        }
    }
}
