// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.peers;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.tpch.TpchQueries;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.format.DateTimeFormatter.BASIC_ISO_DATE;
import static java.util.Objects.requireNonNull;

/**
 * The star schema benchmark (O'Neil, O'Neil, Chen): its tables, made from the rows of TPC-H's generator, and its 13 queries.
 *
 * <p>As in the benchmark, {@code lineorder} joins lineitem with its orders, customers and suppliers are a fifth of TPC-H's, money is a whole number of
 * cents, a nation has ten cities, and a category has 40 brands. {@code lineorder} is partitioned by the month of the order.
 */
public final class Ssb
{
    /** The names of the queries: the flight and the number in it. */
    public static final List<String> NAMES = List.of("1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "3.4", "4.1", "4.2", "4.3");

    private static final Pattern TABLE = Pattern.compile("CREATE TABLE (\\w+) \\(([^;]+)\\);\\s+(INSERT [^;]+);");

    private Ssb()
    {}

    /** Creates the five tables as ORC in a new schema: with their rows and statistics, or empty. */
    public static void createTables(Lake lake, String schema, double scale, boolean filled)
    {
        PrestoClient client = lake.uncachedClient(schema).withSession("task_writer_count", "1");
        client.execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
        for (MatchResult table : TABLE.matcher(resource("ssb-tables.sql")).results().toList()) {
            String name = table.group(1);
            lake.createTable(schema, name, table.group(2), "format = 'ORC'" + (name.equals("lineorder")
                    ? ", partitioned_by = ARRAY['lo_month']"
                    : ""));
            if (filled) {
                client.execute(table.group(3).replace("source.", "tpch.\"" + TpchQueries.sourceSchema(scale) + "\"."));
                lake.analyze(schema, name);
            }
        }
    }

    /** Returns the SQL of a query of {@link #NAMES}. */
    public static String sql(String name)
    {
        return resource("ssb.sql").split(";", -1)[NAMES.indexOf(name)].strip();
    }

    /** Returns the SQL of a query, for the orders of a year that begins on this day. */
    public static String sql(String name, LocalDate first)
    {
        LocalDate last = first.plusYears(1).minusDays(1);
        return sql(name).replace(
                "WHERE ",
                "WHERE lo_month BETWEEN '" + YearMonth.from(first) + "' AND '" + YearMonth.from(last) + "' AND lo_orderdate BETWEEN " + first.format(
                        BASIC_ISO_DATE)
                        + " AND " + last.format(BASIC_ISO_DATE) + " AND ");
    }

    private static String resource(String name)
    {
        try (InputStream in = requireNonNull(Ssb.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }
}
