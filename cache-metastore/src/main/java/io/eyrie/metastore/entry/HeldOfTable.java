package io.eyrie.metastore.entry;

import static java.util.Objects.requireNonNull;

/**
 * What is kept of one table.
 *
 * @param table empty for what is kept of the database itself
 * @param bytes by estimate
 */
public record HeldOfTable(String database, String table, long entries, long bytes)
{
    public HeldOfTable
    {
        requireNonNull(database, "database is null");
        requireNonNull(table, "table is null");
    }

    /** Both of the same table together. */
    public HeldOfTable plus(HeldOfTable other)
    {
        return new HeldOfTable(database, table, entries + other.entries, bytes + other.bytes);
    }
}
