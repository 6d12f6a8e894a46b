package io.eyrie.metastore.log;

import static java.util.Objects.requireNonNull;

/**
 * An entry of the log.
 *
 * @param id its number; the log has no gaps
 * @param timeSeconds when it was written, by the metastore's clock
 * @param type what happened, such as {@code ALTER_TABLE}
 * @param database the database that it is about, empty where it is about none
 * @param table the table that it is about, empty where it is about none; after a rename the new name
 * @param message the details as JSON, by the metastore's release
 */
public record LogEvent(long id, int timeSeconds, String type, String database, String table, String message)
{
    public LogEvent
    {
        requireNonNull(type, "type is null");
        requireNonNull(database, "database is null");
        requireNonNull(table, "table is null");
        requireNonNull(message, "message is null");
    }

    /** This event with a digest in place of the message, which may be many megabytes. Equal for equal events. */
    LogEvent digest()
    {
        return new LogEvent(id, timeSeconds, type, database, table, message.length() + " " + message.hashCode());
    }
}
