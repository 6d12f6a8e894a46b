// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import io.eyrie.benchmarks.soak.Truth.State;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A query of a table, and its answer for a given state of the files.
 *
 * @param partition the queried partition; empty for all
 * @param from the first row of each file; {@code to} is the one after the last
 */
record Question(Kind kind, String table, Optional<String> partition, int from, int to)
{
    /** The table whose column {@code known} contains the ids of the contents. */
    static final String CONTENTS_TABLE = "contents";

    /** The kinds of queries. */
    enum Kind
    {
        /** One row over all rows: aggregates of a plan fragment. */
        TOTAL,
        /** One row per partition and content. */
        CONTENTS,
        /** A few of the rows themselves. */
        ROWS,
        /** A join with the table of contents. */
        JOIN,
        /** A cross join so large that the query does not end before it is killed. */
        ENDLESS
    }

    /** The kinds whose answers are checked. */
    static final List<Kind> ANSWERED = List.of(Kind.TOTAL, Kind.CONTENTS, Kind.ROWS, Kind.JOIN);

    String sql()
    {
        String where = " WHERE i >= " + from + " AND i < " + to + partition.map(ds -> " AND ds = '" + ds + "'").orElse("");
        return switch (kind) {
            case TOTAL -> "SELECT count(*), coalesce(sum(x), 0), coalesce(max(id), -1) FROM " + table + where;
            case CONTENTS -> "SELECT ds, id, count(*), sum(x) FROM " + table + where + " GROUP BY 1, 2";
            case ROWS -> "SELECT x, s FROM " + table + where;
            case JOIN -> "SELECT count(*), coalesce(sum(x + known), 0) FROM " + table + " JOIN " + CONTENTS_TABLE + " ON id = known" + where;
            // three short sequences: each row would hold its own copy of a long one
            case ENDLESS -> "SELECT count(*) FROM " + table
                    + " CROSS JOIN UNNEST(sequence(1, 1000)) AS a(a) CROSS JOIN UNNEST(sequence(1, 1000)) AS b(b)"
                    + " CROSS JOIN UNNEST(sequence(1, 1000)) AS c(c)"
                    + where;
            default -> throw new IllegalArgumentException(kind.name());
        };
    }

    /** Returns the answer, each row as text, sorted. */
    List<String> answer(State state)
    {
        List<String> rows = switch (kind) {
            case TOTAL -> List.of(row(
                    contents(state).mapToLong(content -> content.count(from, to)).sum(),
                    contents(state).mapToLong(content -> content.sum(from, to)).sum(),
                    contents(state).filter(content -> content.count(from, to) > 0).mapToLong(Content::id).max().orElse(-1)));
            case CONTENTS -> contentRows(state);
            case ROWS -> {
                List<String> all = new ArrayList<>();
                contents(state).forEach(content -> {
                    for (int i = from; i < Math.min(to, content.rows()); i++) {
                        all.add(content.x(i) + " " + content.x(i));
                    }
                });
                yield all;
            }
            case JOIN -> List.of(row(
                    contents(state).mapToLong(content -> content.count(from, to)).sum(),
                    contents(state).mapToLong(content -> content.sum(from, to) + (long) content.count(from, to) * content.id()).sum()));
            case ENDLESS -> List.of(row(contents(state).mapToLong(content -> content.count(from, to)).sum() * 1_000_000_000));
            default -> throw new IllegalArgumentException(kind.name());
        };
        return rows.stream().sorted(Comparator.naturalOrder()).toList();
    }

    private List<String> contentRows(State state)
    {
        List<String> rows = new ArrayList<>();
        state.partitions().forEach((ds, files) -> {
            Map<Integer, Integer> copies = new TreeMap<>();
            files.stream().filter(content -> content.count(from, to) > 0).forEach(content -> copies.merge(content.id(), 1, Integer::sum));
            copies.forEach((id, count) -> {
                Content content = new Content(id);
                rows.add(ds + " " + row(id, (long) count * content.count(from, to), count * content.sum(from, to)));
            });
        });
        return rows;
    }

    private static Stream<Content> contents(State state)
    {
        return state.partitions().values().stream().flatMap(List::stream);
    }

    private static String row(long... values)
    {
        StringBuilder row = new StringBuilder();
        for (long value : values) {
            row.append(row.isEmpty() ? "" : " ").append(String.format(Locale.ROOT, "%d", value));
        }
        return row.toString();
    }
}
