// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import static java.util.Objects.requireNonNull;

/**
 * An event of the log.
 *
 * @param id its number; numbers have no gaps
 * @param timeSeconds when it was written, by the metastore's clock
 * @param type the kind of event, such as {@code ALTER_TABLE}
 * @param database the database that changed, or empty
 * @param table the table that changed, or empty; after a rename, the new name
 * @param message the details as JSON; the format depends on the metastore's release
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

    /** Returns this event with a digest instead of the message, which may be many megabytes. Digests of equal events are equal. */
    LogEvent digest()
    {
        return new LogEvent(id, timeSeconds, type, database, table, message.length() + " " + message.hashCode());
    }
}
