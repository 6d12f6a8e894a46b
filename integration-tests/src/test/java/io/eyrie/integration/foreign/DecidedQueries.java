// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.foreign;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Queries of some files of a table, with a predicate on each scalar column that the least and largest values and the nulls of the files decide. */
final class DecidedQueries
{
    private static final int LONGEST_LITERAL = 500;
    /** The engine's most stages of a query are a hundred. */
    private static final int COLUMNS_A_QUERY = 20;
    private static final int BOUNDS_OF_A_COLUMN = 3;

    private final String table;
    private final List<String> files;
    private final List<CorpusColumn> columns;

    /**
     * Queries of files that can be read.
     *
     * @param files partitions
     * @param columns scalar ones
     */
    DecidedQueries(String table, List<String> files, List<CorpusColumn> columns)
    {
        this.table = table;
        this.files = List.copyOf(files);
        this.columns = List.copyOf(columns);
    }

    /** Returns queries for the bounds of all columns, of the files together or of each file; a text may be null. */
    List<String> bounds(boolean ofEachFile)
    {
        return IntStream.iterate(0, from -> from < columns.size(), from -> from + COLUMNS_A_QUERY).mapToObj(from -> columns.subList(from, Math.min(
                from
                        + COLUMNS_A_QUERY, columns.size())).stream().map(column -> text(column, "min") + ", " + text(column, "max") + ", CAST(count("
                                + column.name() + ") AS varchar)").collect(Collectors.joining(", ", "SELECT ", from() + (ofEachFile
                                        ? " GROUP BY file"
                                        : ""))))
                .toList();
    }

    private String from()
    {
        return " FROM " + table + " WHERE " + files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", ", "file IN (", ")"));
    }

    private static String text(CorpusColumn column, String aggregate)
    {
        String value = aggregate + "(" + column.name() + ")";
        return column.type().equals("varbinary") ? "to_hex(" + value + ")" : "CAST(" + value + " AS varchar)";
    }

    /**
     * Returns the queries.
     *
     * @param bounds rows of each of the {@linkplain #bounds queries for bounds}, in their order
     */
    List<DecidedQuery> of(List<List<List<@Nullable Object>>> bounds)
    {
        List<DecidedQuery> queries = new ArrayList<>();
        for (int part = 0; part < bounds.size(); part++) {
            List<CorpusColumn> some = columns.subList(part * COLUMNS_A_QUERY, Math.min((part + 1) * COLUMNS_A_QUERY, columns.size()));
            for (List<@Nullable Object> row : bounds.get(part)) {
                List<String> outside = new ArrayList<>();
                List<String> atTheEdge = new ArrayList<>();
                List<String> nulls = new ArrayList<>();
                for (int i = 0; i < some.size(); i++) {
                    CorpusColumn column = some.get(i);
                    Object least = row.get(i * BOUNDS_OF_A_COLUMN);
                    Object most = row.get(i * BOUNDS_OF_A_COLUMN + 1);
                    if (least != null && most != null && isUsable(least.toString()) && isUsable(most.toString())) {
                        String name = column.name();
                        String above = column.literal(most.toString());
                        String below = column.literal(least.toString());
                        outside.add(branch(column, name + " > " + above + " OR " + name + " < " + below));
                        atTheEdge.add(branch(column, i % 2 == 0 ? name + " >= " + above : name + " <= " + below));
                    }
                    nulls.add(branch(column, column.name() + (Objects.equals(row.get(i * BOUNDS_OF_A_COLUMN + 2), "0")
                            ? " IS NOT NULL"
                            : " IS NULL")));
                }
                for (List<String> branches : List.of(outside, atTheEdge, nulls)) {
                    if (!branches.isEmpty()) {
                        queries.add(new DecidedQuery(files, branches));
                    }
                }
            }
        }
        return queries.stream().distinct().toList();
    }

    private static boolean isUsable(String text)
    {
        return text.length() < LONGEST_LITERAL && !text.equals("NaN");
    }

    private String branch(CorpusColumn column, String predicate)
    {
        return "SELECT '" + column.name().replace("'", "''") + "' AS name, file, " + column.text() + " AS value" + from() + " AND (" + predicate
                + ")";
    }
}
