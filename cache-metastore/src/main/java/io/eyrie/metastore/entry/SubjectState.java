// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * The versions of a table and its partitions. An entry is valid as long as its version is one of them.
 *
 * @param version of the table, and of each partition that has no version of its own
 * @param namesVersion of the lists of partition names
 * @param listsVersion of the lists of files
 * @param lossyValues of each partition value that an event can lose a part of, the rest
 * @param changedPartitions the versions of partitions by their values
 */
record SubjectState(
        String database,
        String table,
        long version,
        long namesVersion,
        long listsVersion,
        Set<String> lossyValues,
        Map<List<String>, Long> changedPartitions)
{
    SubjectState
    {
        requireNonNull(database, "database is null");
        requireNonNull(table, "table is null");
        lossyValues = Set.copyOf(lossyValues);
        changedPartitions = Map.copyOf(changedPartitions);
    }
}
