package io.eyrie.cache.file;

import static java.util.Objects.requireNonNull;

/**
 * What a file belongs to. Kept beside the cached bytes; no part of their identity. {@code ""} stands for unknown.
 */
public record Scope(String catalog, String schema, String table, String partition)
{
    public static final Scope NONE = new Scope("", "", "", "");

    public Scope
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
        requireNonNull(partition, "partition is null");
    }
}
