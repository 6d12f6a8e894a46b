// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import java.util.List;
import java.util.Optional;

/** Provides the version of a table or partition as far as this coordinator knows it. Thread-safe. */
public interface TableVersions
{
    /** Knows no versions: only the parameters of tables and partitions distinguish their states. */
    TableVersions UNKNOWN = (queryId, database, table, values) -> Optional.of("");

    /**
     * Returns a token that equals another one only if no change happened between them. It is at least as new as the query's validation, for which this call may
     * ask the metastore. Empty if no token can be validated for the query, which then uses no cached list.
     *
     * @param queryId empty if it is not known
     * @param values a partition's values, empty for the table
     */
    Optional<Object> versionOf(String queryId, String database, String table, List<String> values);
}
