// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.file;

import static java.util.Objects.requireNonNull;

/**
 * The catalog, schema, table and partition of a file. Stored with cached bytes, but not part of their identity. {@code ""} means unknown.
 */
public record Scope(String catalog, String schema, String table, String partition)
{
    public static final Scope NONE = new Scope("", "", "", "");

    /** The scope of Eyrie's own records, which belong to no table: they are always admitted, and they do not expire. No table has this scope. */
    public static final Scope RECORDS = new Scope("", "", "", "records");

    public Scope
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
        requireNonNull(partition, "partition is null");
    }

    /** Whether another scope lies within this one, in which {@code ""} matches any name. */
    public boolean contains(Scope other)
    {
        return contains(catalog, other.catalog)
                && contains(schema, other.schema)
                && contains(table, other.table)
                && contains(partition, other.partition);
    }

    private static boolean contains(String pattern, String name)
    {
        return pattern.isEmpty() || pattern.equals(name);
    }
}
