// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.integration.generator.RandomQuery.RowComparison;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The answer of a query: rows or an error. Values are texts, which are the same only for equal values; doubles are exact.
 *
 * @param queryId empty for an error
 * @param errorCode Presto's, 0 for rows
 * @param error its message, which is not compared
 * @param columns their names and types
 * @param rows in the engine's order
 */
public record Answer(String queryId, int errorCode, String error, List<String> columns, List<String> rows)
{
    private static final int SHOWN = 4;

    public Answer
    {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * Runs the statement and returns its answer.
     *
     * @throws QueryFailedException if no coordinator answers
     */
    public static Answer of(PrestoClient client, String sql)
    {
        try {
            QueryResult result = client.execute(sql);
            return new Answer(result.queryId(), 0, "", result.columns().stream().map(column -> column.name() + " " + column.type()).toList(), result
                    .rows().stream()
                    .map(Answer::text)
                    .toList());
        }
        catch (QueryFailedException e) {
            if (e.errorCode() == 0 && !String.valueOf(e.getMessage()).contains("Query failed")) {
                throw e;
            }
            return new Answer("", e.errorCode(), String.valueOf(e.getMessage()), List.of(), List.of());
        }
    }

    public boolean isError()
    {
        return !error.isEmpty();
    }

    /** Returns whether the analyzer rejected the query. */
    public boolean isNoQuery()
    {
        return error.contains("line 1:");
    }

    /** Describes the difference to the other answer; empty if they agree. */
    public String difference(Answer expected, boolean ordered)
    {
        return difference(expected, ordered ? RowComparison.ORDERED_ROWS : RowComparison.ROWS);
    }

    /** Describes the difference to the other answer; empty if they agree. */
    String difference(Answer expected, RowComparison compared)
    {
        if (compared == RowComparison.SUBSET && expected.isError() && !isError()) {
            return ""; // a sample need not read the rows that all rows fail with
        }
        if (isError() || expected.isError()) {
            return errorCode == expected.errorCode && isError() == expected.isError() ? "" : shown(this) + "\n  expected " + shown(expected);
        }
        if (!columns.equals(expected.columns) && compared != RowComparison.SUBSET) {
            return "columns " + columns + "\n  expected " + expected.columns;
        }
        if (compared == RowComparison.ORDERED_ROWS) {
            return rows.equals(expected.rows) ? "" : shown(this) + "\n  expected " + shown(expected);
        }
        Map<String, Integer> more = new HashMap<>();
        rows.forEach(row -> more.merge(compared(row, compared), 1, Integer::sum));
        expected.rows.forEach(row -> more.merge(compared(row, compared), -1, Integer::sum));
        List<String> differences = new ArrayList<>();
        new TreeMap<>(more).forEach((row, count) -> {
            if (count > 0 || (count < 0 && compared != RowComparison.SUBSET)) {
                differences.add(String.format(Locale.ROOT, "%+d %s", count, row));
            }
        });
        return differences.isEmpty()
                ? ""
                : rows.size() + " rows, expected " + expected.rows.size() + "; too many and too few:\n  " + String.join("\n  ", differences.subList(0,
                        Math.min(differences.size(), SHOWN)));
    }

    private static String shown(Answer answer)
    {
        return answer.isError()
                ? "error " + answer.errorCode + ": " + answer.error.lines().findFirst().orElse("")
                : answer.rows.size() + " rows " + answer.rows.stream().limit(SHOWN).toList();
    }

    private static String compared(String row, RowComparison compared)
    {
        return compared == RowComparison.ROWS_WITHOUT_SIGN_OF_ZERO ? row.replace("-0.0|", "0.0|") : row;
    }

    private static String text(@Nullable Object value)
    {
        if (value instanceof Number number && (value instanceof Double || value instanceof Float)) {
            return number + "|";
        }
        if (value instanceof byte[] bytes) {
            return "X" + HexFormat.of().formatHex(bytes);
        }
        if (value instanceof Array array) {
            try {
                return text(Arrays.asList((Object[]) array.getArray()));
            }
            catch (SQLException e) {
                throw new IllegalStateException("The driver does not give up an array", e);
            }
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> entries = new TreeMap<>();
            map.forEach((key, element) -> entries.put(text(key), text(element)));
            return entries.toString();
        }
        if (value instanceof Collection<?> collection) {
            return collection.stream().map(Answer::text).toList().toString();
        }
        return Objects.toString(value, "NULL");
    }
}
