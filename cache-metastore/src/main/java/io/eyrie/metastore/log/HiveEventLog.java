// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import com.facebook.presto.hive.metastore.thrift.HiveCluster;
import com.facebook.presto.hive.metastore.thrift.HiveMetastoreClient;
import com.facebook.presto.hive.metastore.thrift.ThriftHiveMetastoreClient;
import io.eyrie.cache.host.HostField;
import io.eyrie.metastore.log.EventLogException.Reason;
import org.apache.hadoop.hive.metastore.api.ConfigValSecurityException;
import org.apache.hadoop.hive.metastore.api.NotificationEvent;
import org.apache.hadoop.hive.metastore.api.NotificationEventRequest;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** The notification log of a Hive Metastore. It is read through connections that Presto makes, with their addresses, authentication and timeouts. */
public final class HiveEventLog
        implements EventLog
{
    private static final String LISTENER = "DbNotificationListener";
    private static final List<String> LISTENER_PROPERTIES = List.of(
            "metastore.transactional.event.listeners",
            "hive.metastore.transactional.event.listeners");
    private static final String CACHED_STORE = "CachedStore";
    private static final List<String> STORE_PROPERTIES = List.of("metastore.rawstore.impl", "hive.metastore.rawstore.impl");

    // Presto's interface to a connection lacks the calls of the log; the thrift client behind it has them
    private static final HostField<ThriftHiveMetastoreClient, ThriftHiveMetastore.Client> CLIENT = HostField.of(
            ThriftHiveMetastoreClient.class,
            "client",
            ThriftHiveMetastore.Client.class);

    private final HiveCluster cluster;

    public HiveEventLog(HiveCluster cluster)
    {
        this.cluster = requireNonNull(cluster, "cluster is null");
    }

    @Override
    public Session open()
            throws EventLogException
    {
        try {
            HiveMetastoreClient connection = cluster.createMetastoreClient(Optional.empty());
            try {
                return new ThriftSession(connection, CLIENT.get((ThriftHiveMetastoreClient) connection));
            }
            catch (ClassCastException e) {
                connection.close();
                throw new EventLogException(Reason.REFUSED, "The metastore's notification log cannot be read with this presto-hive-metastore", e);
            }
        }
        catch (TException e) {
            throw exception(e);
        }
    }

    private static EventLogException exception(TException cause)
    {
        return new EventLogException(reason(cause), "The metastore's notification log cannot be read: " + cause.getMessage(), cause);
    }

    private static Reason reason(TException cause)
    {
        // errors that the server's method does not declare reach the client as this type, including refusals
        if (!(cause instanceof TApplicationException undeclared)) {
            return Reason.FAILED;
        }
        return undeclared.getType() == TApplicationException.UNKNOWN_METHOD ? Reason.REFUSED : Reason.UNDECLARED;
    }

    private static String lowerCase(@Nullable String name)
    {
        return name == null ? "" : name.toLowerCase(Locale.ROOT);
    }

    private record ThriftSession(HiveMetastoreClient connection, ThriftHiveMetastore.Client client)
            implements Session
    {
        @Override
        public boolean written()
                throws EventLogException
        {
            return configured(LISTENER_PROPERTIES).contains(LISTENER);
        }

        /* CachedStore takes the log from the database, and tables from memory, which each server loads again once a minute. */
        @Override
        public boolean cached()
                throws EventLogException
        {
            return configured(STORE_PROPERTIES).contains(CACHED_STORE);
        }

        @Override
        public String metastore()
                throws EventLogException
        {
            try {
                return client.get_metastore_db_uuid();
            }
            catch (TException e) {
                if (reason(e) == Reason.REFUSED) {
                    return "";
                }
                throw exception(e);
            }
        }

        @Override
        public long currentId()
                throws EventLogException
        {
            try {
                return client.get_current_notificationEventId().getEventId();
            }
            catch (TException e) {
                throw exception(e);
            }
        }

        @Override
        public List<LogEvent> eventsAfter(long id, int max)
                throws EventLogException
        {
            try {
                NotificationEventRequest request = new NotificationEventRequest(id);
                request.setMaxEvents(max);
                List<NotificationEvent> events = client.get_next_notification(request).getEvents();
                return events == null ? List.of() : events.stream().map(ThriftSession::event).toList();
            }
            catch (TException e) {
                throw exception(e);
            }
        }

        @Override
        public void close()
        {
            connection.close();
        }

        /* Returns the first value of a property that has several names. Releases before 3.0 know only the last one; later ones return the value of any. */
        private String configured(List<String> names)
                throws EventLogException
        {
            try {
                String value = "";
                for (int i = 0; i < names.size() && value.isEmpty(); i++) {
                    value = configured(names.get(i));
                }
                return value;
            }
            catch (TException e) {
                throw exception(e);
            }
        }

        private String configured(String property)
                throws TException
        {
            try {
                String value = client.get_config_value(property, "");
                return value == null ? "" : value;
            }
            catch (ConfigValSecurityException e) {
                return "";
            }
        }

        private static LogEvent event(NotificationEvent event)
        {
            return new LogEvent(event.getEventId(), event.getEventTime(), event.getEventType(), lowerCase(event.getDbName()), lowerCase(event
                    .getTableName()),
                    event.getMessage() == null ? "" : event.getMessage());
        }
    }
}
