// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.foreign;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A query over some files of a table, each of which is a partition; what it answers says of each row which file it is about.
 *
 * @param table its name
 * @param files partitions
 * @param select items, without the file
 * @param where a condition, or nothing
 * @param grouped whether there is a row for each file
 * @param session of the query; a name that begins with a dot is a property of the catalog
 */
record CorpusQuery(String table, List<String> files, String select, String where, boolean grouped, Map<String, String> session)
{
    private static final int LONGEST_LITERAL = 500;
    private static final List<Map<String, String>> SESSIONS = List.of(
            Map.of(),
            Map.of(".parquet_use_column_names", "true", ".orc_use_column_names", "true"),
            Map.of(".parquet_batch_read_optimization_enabled", "true", ".use_column_index_filter", "true"),
            Map.of(".orc_bloom_filters_enabled", "true", ".orc_tiny_stripe_threshold", "1kB"),
            Map.of("pushdown_dereference_enabled", "true", ".parquet_dereference_pushdown_enabled", "true", "pushdown_subfields_enabled", "true"));

    /** What a column is asked for. */
    private enum Test
    {
        EQUAL, RANGE, NULL, NOT_DISTINCT, IN, DISTINCT, BEYOND
    }

    CorpusQuery
    {
        files = List.copyOf(files);
        session = Map.copyOf(session);
    }

    /** The same query of some of its files. */
    CorpusQuery of(List<String> some)
    {
        return new CorpusQuery(table, some, select, where, grouped, session);
    }

    /** The same query with a condition of which Presto's readers know nothing. */
    CorpusQuery filteredByTheEngine()
    {
        return new CorpusQuery(table, files, select, "((" + where + ") OR random() < 0)", grouped, session);
    }

    String sql()
    {
        String partitions = files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", ", "file IN (", ")"));
        return "SELECT file, " + select + " FROM " + table + " WHERE " + partitions + (where.isEmpty() ? "" : " AND " + where) + (grouped
                ? " GROUP BY file"
                : "");
    }

    /** Whether it asks for all rows, as they are. */
    boolean readsAll()
    {
        return where.isEmpty() && !grouped;
    }

    @Override
    public String toString()
    {
        return session + ": " + sql();
    }

    /** All rows. */
    static CorpusQuery rows(String table, List<String> files, List<CorpusColumn> columns)
    {
        return new CorpusQuery(table, files, columns.stream().map(CorpusColumn::name).collect(Collectors.joining(", ")), "", false, Map.of());
    }

    /** The texts of the scalar columns. */
    static CorpusQuery texts(String table, List<String> files, List<CorpusColumn> columns)
    {
        return new CorpusQuery(table, files, columns.stream().map(CorpusColumn::text).collect(Collectors.joining(", ")), "", false, Map.of());
    }

    /** Queries over all files of a table that do not depend on the values in them. */
    static List<CorpusQuery> ofColumns(String table, List<String> files, List<CorpusColumn> columns)
    {
        List<CorpusQuery> queries = new ArrayList<>();
        queries.add(rows(table, files, columns));
        queries.add(new CorpusQuery(table, files, columns.stream().map(CorpusQuery::aggregates).collect(Collectors.joining(", ", "count(*), ", "")),
                "", true, Map.of()));
        List<String> parts = columns.stream().flatMap(column -> column.parts().stream()).toList();
        if (!parts.isEmpty()) {
            for (Map<String, String> session : List.of(SESSIONS.get(0), SESSIONS.get(SESSIONS.size() - 1))) {
                queries.add(new CorpusQuery(table, files, parts.stream().map(part -> "checksum(" + part + ")").collect(Collectors.joining(", ")), "",
                        true, session));
            }
            queries.add(new CorpusQuery(table, files, String.join(", ", parts), parts.get(parts.size() - 1) + " IS NOT NULL", false, SESSIONS.get(
                    SESSIONS.size() - 1)));
        }
        for (int i = 0; i < columns.size() && !parts.isEmpty(); i++) {
            CorpusColumn column = columns.get(i);
            if (!column.isScalar()) {
                List<String> ofColumn = column.parts();
                String part = ofColumn.get(i % ofColumn.size());
                queries.add(new CorpusQuery(table, files, "count(*), checksum(" + column.name() + ")", part + (i % 2 == 0
                        ? " IS NOT NULL"
                        : " IS NULL"), true, SESSIONS.get(i % SESSIONS.size())));
            }
        }
        return queries;
    }

    /**
     * Queries with predicates on the values of a table.
     *
     * @param columns scalar ones
     * @param rows texts of them, in the order of columns
     * @param turn picks values and sessions
     * @param each whether each column is asked for by itself, too
     */
    static List<CorpusQuery> ofValues(String table, List<String> files, List<CorpusColumn> columns, List<List<@Nullable String>> rows, int turn,
            boolean each)
    {
        List<CorpusQuery> queries = new ArrayList<>();
        if (columns.isEmpty() || rows.isEmpty()) {
            return queries;
        }
        String counts = columns.stream().map(CorpusQuery::counts).collect(Collectors.joining(", ", "count(*), ", ""));
        int next = turn;
        for (Test test : Test.values()) {
            int place = next++;
            if (test != Test.BEYOND) {
                Set<String> conditions = new LinkedHashSet<>();
                for (int i = 0; i < columns.size(); i++) {
                    conditions.add(condition(test, columns.get(i), i, rows, place * 5 + 1));
                }
                conditions.remove("");
                if (!conditions.isEmpty()) {
                    queries.add(new CorpusQuery(table, files, counts, String.join(" AND ", conditions), true, SESSIONS.get(place % SESSIONS.size())));
                }
            }
            for (int i = 0; each && i < columns.size(); i++) {
                String condition = condition(test, columns.get(i), i, rows, place + i * 3);
                if (!condition.isEmpty()) {
                    queries.add(new CorpusQuery(table, files, counts, condition, true, SESSIONS.get((place + i) % SESSIONS.size())));
                }
            }
        }
        return queries;
    }

    /* Empty if the rows have no value for it. */
    private static String condition(Test test, CorpusColumn column, int index, List<List<@Nullable String>> rows, int place)
    {
        String name = column.name();
        String own = rows.get(place % rows.size()).get(index);
        boolean isNull = own == null;
        if (test == Test.NULL) {
            return name + (isNull ? " IS NULL" : " IS NOT NULL");
        }
        if (test == Test.NOT_DISTINCT && isNull) {
            return name + " IS NOT DISTINCT FROM NULL";
        }
        List<String> values = Stream.concat(Stream.ofNullable(own), IntStream.range(0, rows.size()).mapToObj(i -> rows.get((place + i) % rows.size())
                .get(index)).filter(
                        text -> text != null)).map(String::valueOf).filter(text -> text.length() < LONGEST_LITERAL && !text.equals("NaN")).distinct()
                .limit(3).map(column::literal).toList();
        if (values.isEmpty()) {
            return "";
        }
        String value = values.get(0);
        boolean ordered = !column.type().equals("boolean");
        return switch (test) {
            case EQUAL -> name + " = " + value;
            case RANGE -> ordered ? name + (index % 2 == 0 ? " >= " : " <= ") + value : name;
            case NOT_DISTINCT -> name + " IS NOT DISTINCT FROM " + value;
            case IN -> name + " IN (" + String.join(", ", values) + ")";
            case DISTINCT -> name + " IS DISTINCT FROM " + values.get(values.size() - 1);
            case BEYOND -> ordered ? name + " > " + column.literal(column.beyond()) : "NOT " + name;
            default -> throw new IllegalArgumentException(String.format(Locale.ROOT, "No test of a value: %s", test));
        };
    }

    private static String aggregates(CorpusColumn column)
    {
        String name = column.name();
        return column.isScalar()
                ? String.format(Locale.ROOT, "count(%1$s), min(%1$s), max(%1$s), checksum(%1$s)", name)
                : String.format(Locale.ROOT, "count(%1$s), checksum(%1$s)", name);
    }

    private static String counts(CorpusColumn column)
    {
        return "count(" + column.name() + "), checksum(" + column.name() + ")";
    }
}
