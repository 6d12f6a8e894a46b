// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import static java.util.Objects.requireNonNull;

/**
 * The size of the entries of one table.
 *
 * @param table empty for the entries of the database itself
 * @param bytes an estimate
 */
public record TableUsage(String database, String table, long entries, long bytes)
{
    public TableUsage
    {
        requireNonNull(database, "database is null");
        requireNonNull(table, "table is null");
    }

    /** Returns the sum of both, which are of the same table. */
    public TableUsage plus(TableUsage other)
    {
        return new TableUsage(database, table, entries + other.entries, bytes + other.bytes);
    }
}
