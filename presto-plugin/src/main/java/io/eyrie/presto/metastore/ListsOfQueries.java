package io.eyrie.presto.metastore;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.google.inject.Inject;
import io.eyrie.metastore.files.FileLists;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;

import static java.util.Objects.requireNonNull;

/**
 * Tells the file lists how the queries end that were given some. A lister knows a query by its runtime statistics, a connector by its transaction; the split
 * manager sees both.
 */
public final class ListsOfQueries
{
    private final FileLists lists;
    private final ConcurrentMap<ConnectorTransactionHandle, Queue<RuntimeStats>> queries = new ConcurrentHashMap<>();

    @Inject
    public ListsOfQueries(FileLists lists)
    {
        this.lists = requireNonNull(lists, "lists is null");
    }

    /** The same split manager, watched. */
    public ConnectorSplitManager watched(ConnectorSplitManager splits)
    {
        return (transaction, session, layout, context) -> {
            queries.computeIfAbsent(transaction, ignored -> new ConcurrentLinkedQueue<>()).add(session.getRuntimeStats());
            return splits.getSplits(transaction, session, layout, context);
        };
    }

    /** The same connector, watched. */
    public Connector watched(Connector connector)
    {
        // not a class: the interface has other methods in other releases, with defaults that must not answer for the connector
        return (Connector) Proxy.newProxyInstance(Connector.class.getClassLoader(), new Class<?>[] {Connector.class}, (proxy, method, arguments) -> {
            try {
                return method.invoke(connector, arguments);
            }
            catch (InvocationTargetException e) {
                throw e.getCause();
            }
            finally {
                if (List.of("commit", "rollback").contains(method.getName())) {
                    ended((ConnectorTransactionHandle) arguments[0], method.getName().equals("rollback"));
                }
            }
        });
    }

    private void ended(ConnectorTransactionHandle transaction, boolean failed)
    {
        Queue<RuntimeStats> ended = queries.remove(transaction);
        if (ended != null) {
            ended.forEach(query -> lists.ended(query, failed));
        }
    }
}
