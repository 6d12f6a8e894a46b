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

    /** One connection. Every method may fail; then the session is of no further use, and {@link #close} is still due. Not thread-safe. */
    interface Session
            extends AutoCloseable
    {
        /** Whether each change of the metastore is written to the log in the transaction that makes it. */
        boolean written()
                throws EventLogException;

        /** The unique name of the metastore's database, empty where the metastore tells none. */
        String metastore()
                throws EventLogException;

        /** The number of the newest event, 0 before the first one. */
        long currentId()
                throws EventLogException;

        /** At most {@code max} events that come after that of number {@code id}, oldest first; those that the metastore has cleaned away are not among them. */
        List<LogEvent> eventsAfter(long id, int max)
                throws EventLogException;

        @Override
        void close();
    }
}
