// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.metastore.thrift.HiveCluster;
import com.facebook.presto.hive.metastore.thrift.HiveMetastoreClient;
import io.eyrie.metastore.log.EventLog;
import io.eyrie.metastore.log.EventLogException;
import io.eyrie.metastore.log.LogEvent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the calls of a metastore by kind. Thread-safe. */
final class CountedMetastore
{
    private final Map<String, Long> calls = new TreeMap<>();
    private long partitions;

    /** Returns the same cluster, with its calls counted. */
    HiveCluster cluster(HiveCluster cluster)
    {
        return token -> client(cluster.createMetastoreClient(token));
    }

    /** Returns the same log, with its calls counted. */
    EventLog log(EventLog log)
    {
        return () -> new CountedSession(log.open());
    }

    /** Returns the calls since the last invocation, and the number of partitions that they requested. */
    synchronized CallCounts take()
    {
        CallCounts taken = new CallCounts(new TreeMap<>(calls), partitions);
        calls.clear();
        partitions = 0;
        return taken;
    }

    private HiveMetastoreClient client(HiveMetastoreClient client)
    {
        return (HiveMetastoreClient) Proxy.newProxyInstance(HiveMetastoreClient.class.getClassLoader(), new Class<?>[] {HiveMetastoreClient.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("close")) {
                        count(method.getName());
                    }
                    if (method.getName().equals("getPartitionsByNames")) {
                        countPartitions(((List<?>) arguments[2]).size());
                    }
                    try {
                        return method.invoke(client, arguments);
                    }
                    catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private synchronized void count(String call)
    {
        calls.merge(call, 1L, Long::sum);
    }

    private synchronized void countPartitions(int asked)
    {
        partitions += asked;
    }

    /** The counted calls. */
    record CallCounts(Map<String, Long> calls, long partitions)
    {
        long all()
        {
            return calls.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private final class CountedSession
            implements EventLog.Session
    {
        private final EventLog.Session session;

        CountedSession(EventLog.Session session)
        {
            this.session = session;
        }

        @Override
        public boolean written()
                throws EventLogException
        {
            count("getConfigValue");
            return session.written();
        }

        @Override
        public boolean cached()
                throws EventLogException
        {
            count("getConfigValue");
            return session.cached();
        }

        @Override
        public String metastore()
                throws EventLogException
        {
            count("getMetastoreDbUuid");
            return session.metastore();
        }

        @Override
        public long currentId()
                throws EventLogException
        {
            count("getCurrentNotificationEventId");
            return session.currentId();
        }

        @Override
        public List<LogEvent> eventsAfter(long id, int max)
                throws EventLogException
        {
            count("getNextNotification");
            return session.eventsAfter(id, max);
        }

        @Override
        public void close()
        {
            session.close();
        }
    }
}
