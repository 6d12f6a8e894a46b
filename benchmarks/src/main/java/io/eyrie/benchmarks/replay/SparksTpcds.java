// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** The queries of TPC-DS from Spark's test jar, in Presto's SQL. */
public final class SparksTpcds
{
    private static final int COUNT = 99;
    /** Queries of the standard that consist of two. */
    private static final List<Integer> IN_TWO = List.of(14, 23, 24, 39);
    private static final Pattern INTERVAL = Pattern.compile("(?i)INTERVAL (\\d+) days?");
    // q32 has a bracket in a date
    private static final Pattern DATE = Pattern.compile("'(\\d{4}-\\d{1,2}-\\d{1,2})\\]?'");
    // the standard has no column of this name
    private static final Pattern REVIEW = Pattern.compile("c_last_review_date\\b");
    private static final Pattern LIMIT = Pattern.compile("(?i)\\sLIMIT\\s+\\d+\\s*$");
    private static final Pattern ORDER = Pattern.compile("(?i)\\sORDER\\s+BY\\s");

    private SparksTpcds()
    {}

    /** Returns {@code q1} to {@code q99}. */
    public static List<String> names()
    {
        return IntStream.rangeClosed(1, COUNT).boxed().flatMap(number -> IN_TWO.contains(number)
                ? Stream.of("q" + number + "a", "q" + number + "b")
                : Stream.of("q" + number)).toList();
    }

    /** Returns the text of a query. Rows may tie at its LIMIT. */
    public static String sql(String name)
    {
        try (InputStream in = requireNonNull(SparksTpcds.class.getResourceAsStream("/tpcds/" + name + ".sql"), name)) {
            String sql = new String(in.readAllBytes(), UTF_8).strip().replace('`', '"');
            String days = DATE.matcher(INTERVAL.matcher(sql).replaceAll("INTERVAL '$1' DAY")).replaceAll("DATE '$1'");
            return REVIEW.matcher(days).replaceAll("c_last_review_date_sk");
        }
        catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    /** Returns a query with the LIMIT at its end, if any, removed. */
    static String withoutLimit(String sql)
    {
        return LIMIT.matcher(sql).replaceFirst("");
    }

    /** Returns a query whose rows do not tie at the LIMIT at its end: it also orders them by each of its columns. */
    public static String withoutTies(String sql, int columns)
    {
        Matcher limit = LIMIT.matcher(sql);
        if (!limit.find()) {
            return sql;
        }
        String rows = sql.substring(0, limit.start());
        String all = IntStream.rangeClosed(1, columns).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        return rows + (isOrdered(rows) ? ", " : " ORDER BY ") + all + limit.group();
    }

    /* Whether the last ORDER BY is that of the whole query, not of a part in brackets. */
    private static boolean isOrdered(String rows)
    {
        return ORDER.matcher(rows)
                .results()
                .reduce((any, later) -> later)
                .filter(last -> isClosed(rows.substring(last.end())))
                .isPresent();
    }

    private static boolean isClosed(String part)
    {
        int depth = 0;
        for (int place = 0; place < part.length() && depth >= 0; place++) {
            char character = part.charAt(place);
            depth += character == '(' ? 1 : character == ')' ? -1 : 0;
        }
        return depth == 0;
    }
}
