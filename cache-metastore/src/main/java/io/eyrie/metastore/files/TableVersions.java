// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import java.util.List;
import java.util.Optional;

/** Provides the version of a table or partition as far as this coordinator knows it. Thread-safe. */
public interface TableVersions
{
    /** Knows no versions. */
    TableVersions UNKNOWN = (database, table, values) -> Optional.empty();

    /**
     * Returns a token that equals another one only if no change happened between them. It is no older than the running query's validation. Empty if no token
     * can be validated.
     *
     * @param values a partition's values, empty for the table
     */
    Optional<Object> versionOf(String database, String table, List<String> values);
}
