// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.client;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import static java.util.Objects.requireNonNull;

/**
 * The result of a query.
 *
 * @param queryId the engine's id of the query
 * @param columns names and types, in order; empty for a statement without a result
 * @param rows values as Presto's JDBC driver returns them, null for NULL; in the engine's order
 * @param updateCount rows written, or -1
 * @param wallTime from sending the statement to the last row
 */
public record QueryResult(String queryId, List<Column> columns, List<List<@Nullable Object>> rows, long updateCount, Duration wallTime)
{
    public QueryResult
    {
        requireNonNull(queryId, "queryId is null");
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        requireNonNull(wallTime, "wallTime is null");
    }

    /** A column's name and its type as the engine writes it, such as {@code decimal(12,2)}. */
    public record Column(String name, String type)
    {
        public Column
        {
            requireNonNull(name, "name is null");
            requireNonNull(type, "type is null");
        }
    }

    /** Returns the value of a result of one row and one column, which must not be NULL. */
    public Object onlyValue()
    {
        if (rows.size() != 1 || columns.size() != 1) {
            throw new IllegalStateException(String.format(Locale.ROOT, "Not one value but %s rows of %s columns: query %s", rows.size(), columns
                    .size(), queryId));
        }
        return requireNonNull(rows.get(0).get(0), () -> "NULL: query " + queryId);
    }

    /** Returns a column's values as strings, in the engine's order. EXPLAIN returns its text in such a column. */
    public List<String> strings(int column)
    {
        return rows.stream()
                .map(row -> String.valueOf(row.get(column)))
                .toList();
    }

    /** Returns a checksum of the rows that ignores their order, see {@link Rows#checksum}. */
    public String checksum()
    {
        return Rows.checksum(rows);
    }
}
