package io.eyrie.metastore.files;

import java.util.List;
import java.util.Optional;

/** Tells which version of a table or partition the metastore has, as far as this coordinator knows. Thread-safe. */
public interface TableVersions
{
    /** Knows nothing. */
    TableVersions UNKNOWN = (database, table, values) -> Optional.empty();

    /**
     * A token that equals another one only if nothing has changed between them; it is not older than the running query's look at the metastore. Empty where
     * nothing vouches for one.
     *
     * @param values a partition's, none for the table
     */
    Optional<Object> versionOf(String database, String table, List<String> values);
}
