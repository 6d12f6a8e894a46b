// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import io.eyrie.metastore.log.EventLogException.Reason;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** An in-memory notification log, with a metastore's failures. Thread-safe. */
public final class TestingEventLog
        implements EventLog
{
    private final List<LogEvent> events = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private long lastId;
    private boolean written = true;
    private boolean cached;
    private String metastore = "one";
    private @Nullable Reason failure;
    private Runnable afterCurrentId = () -> {};

    /** Appends an event. */
    public synchronized LogEvent append(String type, String database, String table, String message)
    {
        LogEvent event = new LogEvent(++lastId, 1000, type, database, table, message);
        events.add(event);
        return event;
    }

    /** Appends the event of an altered partition, of a table with one partition column. */
    public LogEvent alterPartition(String database, String table, String value)
    {
        String partition = "{\\\"1\\\":{\\\"lst\\\":[\\\"str\\\",1,\\\"" + value + "\\\"]}}";
        return append("ALTER_PARTITION", database, table, "{\"partitionObjBeforeJson\":\"" + partition + "\",\"partitionObjAfterJson\":\"" + partition
                + "\"}");
    }

    /** Appends the event of an altered table. */
    public LogEvent alterTable(String database, String table)
    {
        return renameTable(database, table, database, table);
    }

    /** Appends the event of a renamed table. */
    public LogEvent renameTable(String database, String table, String newDatabase, String newTable)
    {
        return append(
                "ALTER_TABLE",
                newDatabase,
                newTable,
                "{\"tableObjBeforeJson\":\"{\\\"1\\\":{\\\"str\\\":\\\"" + table + "\\\"},\\\"2\\\":{\\\"str\\\":\\\"" + database + "\\\"}}\"}");
    }

    /** Removes the oldest {@code count} events. */
    public synchronized void clean(int count)
    {
        events.subList(0, count).clear();
    }

    /** Replaces the log by another one at the same address. */
    public synchronized void replace(String name, long newLastId)
    {
        events.clear();
        metastore = name;
        lastId = newLastId;
    }

    public synchronized void setLastId(long lastId)
    {
        this.lastId = lastId;
    }

    public synchronized void setWritten(boolean written)
    {
        this.written = written;
    }

    public synchronized void setCached(boolean cached)
    {
        this.cached = cached;
    }

    /** Fails each call from now on; null stops this. */
    public synchronized void fail(@Nullable Reason reason)
    {
        failure = reason;
    }

    /** Runs the action between reading the current number and returning it. */
    public synchronized void afterCurrentId(Runnable action)
    {
        afterCurrentId = action;
    }

    /** Returns the calls since the last invocation. */
    public synchronized List<String> takeCalls()
    {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    @Override
    public Session open()
    {
        return new MemorySession();
    }

    private final class MemorySession
            implements Session
    {
        @Override
        public boolean written()
                throws EventLogException
        {
            synchronized (TestingEventLog.this) {
                call("written");
                return written;
            }
        }

        @Override
        public boolean cached()
                throws EventLogException
        {
            synchronized (TestingEventLog.this) {
                call("cached");
                return cached;
            }
        }

        @Override
        public String metastore()
                throws EventLogException
        {
            synchronized (TestingEventLog.this) {
                call("metastore");
                return metastore;
            }
        }

        @Override
        public long currentId()
                throws EventLogException
        {
            Runnable action;
            long id;
            synchronized (TestingEventLog.this) {
                call("currentId");
                action = afterCurrentId;
                id = lastId;
            }
            action.run();
            return id;
        }

        @Override
        public List<LogEvent> eventsAfter(long id, int max)
                throws EventLogException
        {
            synchronized (TestingEventLog.this) {
                call("eventsAfter " + max);
                return events.stream().filter(event -> event.id() > id).limit(max).toList();
            }
        }

        @Override
        public void close()
        {
            // nothing is open
        }
    }

    private synchronized void call(String name)
            throws EventLogException
    {
        calls.add(name);
        if (failure != null) {
            throw new EventLogException(failure, "told to fail", new IllegalStateException("told to fail"));
        }
    }
}
