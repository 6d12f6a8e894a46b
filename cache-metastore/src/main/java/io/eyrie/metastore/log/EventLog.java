// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import java.util.List;

/** A metastore's notification log. Thread-safe. */
public interface EventLog
{
    /**
     * Connects to the metastore.
     *
     * @throws EventLogException if it cannot be reached
     */
    Session open()
            throws EventLogException;

    /** One connection. Every method may fail; the session must then no longer be used, but {@link #close} must still be called. Not thread-safe. */
    interface Session
            extends AutoCloseable
    {
        /** Whether the metastore writes each change to the log in the transaction that makes it. */
        boolean written()
                throws EventLogException;

        /** Whether servers answer from caches of their own, which may be older than the log. */
        boolean cached()
                throws EventLogException;

        /** Returns the unique name of the metastore's database, or an empty string if the metastore does not provide one. */
        String metastore()
                throws EventLogException;

        /** Returns the number of the newest event, 0 before the first one. */
        long currentId()
                throws EventLogException;

        /** Returns at most {@code max} events after the one of number {@code id}, oldest first. Events that the metastore has cleaned away are missing. */
        List<LogEvent> eventsAfter(long id, int max)
                throws EventLogException;

        @Override
        void close();
    }
}
