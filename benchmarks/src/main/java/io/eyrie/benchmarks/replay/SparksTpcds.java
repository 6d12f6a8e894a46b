// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** The queries of TPC-DS from Spark's test jar, in Presto's SQL. */
final class SparksTpcds
{
    private static final int COUNT = 99;
    /** Queries of the standard that consist of two. */
    private static final List<Integer> IN_TWO = List.of(14, 23, 24, 39);
    private static final Pattern INTERVAL = Pattern.compile("(?i)INTERVAL (\\d+) days?");
    // q32 has a bracket in a date
    private static final Pattern DATE = Pattern.compile("'(\\d{4}-\\d{1,2}-\\d{1,2})\\]?'");

    private SparksTpcds()
    {}

    /** Returns {@code q1} to {@code q99}. */
    static List<String> names()
    {
        return IntStream.rangeClosed(1, COUNT).boxed().flatMap(number -> IN_TWO.contains(number)
                ? Stream.of("q" + number + "a", "q" + number + "b")
                : Stream.of("q" + number)).toList();
    }

    static String sql(String name)
    {
        try (InputStream in = requireNonNull(SparksTpcds.class.getResourceAsStream("/tpcds/" + name + ".sql"), name)) {
            String sql = new String(in.readAllBytes(), UTF_8).strip().replace('`', '"');
            return DATE.matcher(INTERVAL.matcher(sql).replaceAll("INTERVAL '$1' DAY")).replaceAll("DATE '$1'");
        }
        catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }
}
