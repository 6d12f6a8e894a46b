package io.eyrie.presto.filesystem;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which columns the readers of one scan have come to read, in the row groups of which they read any. A column that a filter hardly ever lets through is asked for in all of
 * them and read in few. Thread-safe.
 */
final class ColumnHabits
{
    // guarded by this
    private final Map<String, Integer> readByColumn = new HashMap<>();
    private int rowGroups;

    /** Remembers what was read of a row group. */
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
