// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Counts which columns the readers of one scan have read, over the row groups of which they read any column. A column behind a selective filter is
 * requested in all row groups but read in few. Thread-safe.
 */
final class ColumnHabits
{
    // guarded by this
    private final Map<String, Integer> readByColumn = new HashMap<>();
    private int rowGroups;

    /** Records the columns that were read of a row group. */
    synchronized void read(Set<String> columns)
    {
        rowGroups++;
        columns.forEach(column -> readByColumn.merge(column, 1, Integer::sum));
    }

    /** Whether a row group has been read. */
    synchronized boolean areKnown()
    {
        return rowGroups > 0;
    }

    /** Whether a column was read in at least half of the row groups. */
    synchronized boolean isRead(String column)
    {
        return 2 * readByColumn.getOrDefault(column, 0) >= rowGroups;
    }
}
