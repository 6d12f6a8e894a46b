// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The 22 queries of TPC-H with the standard's validation parameters, in Presto's SQL.
 *
 * <p>Tables are unqualified and columns have the standard's prefixes: the source catalog needs {@code tpch.column-naming=STANDARD}. The results use
 * no types other than those of Presto's {@code tpch} connector.
 */
public final class TpchQueries
{
    /** The number of queries; they are numbered from 1. */
    public static final int COUNT = 22;

    /** The eight tables, small ones first. */
    public static final List<String> TABLES = List.of("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");

    /**
     * A small scale factor at which every query returns rows with non-NULL values. At 0.01, each returns rows, but the only row of q17 is NULL; below
     * that, q20 and q21 return none.
     */
    public static final double SMALL_SCALE = 0.015;

    private TpchQueries()
    {}

    /** Returns the SQL of a query, without a semicolon. */
    public static String sql(int number)
    {
        if (number < 1 || number > COUNT) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "TPC-H has queries 1 to %s, not %s", COUNT, number));
        }
        String name = String.format(Locale.ROOT, "q%02d.sql", number);
        try (InputStream in = TpchQueries.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("Not on the class path: io/eyrie/testing/tpch/" + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
        catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    /** Returns the name of a query, {@code q1} to {@code q22}. */
    public static String name(int number)
    {
        return "q" + number;
    }

    /** Returns the unquoted name of the {@code tpch} connector's schema for a scale factor, such as {@code sf0.1} or {@code sf1}. */
    public static String sourceSchema(double scale)
    {
        if (!(scale > 0) || Double.isInfinite(scale)) {
            throw new IllegalArgumentException("A scale factor is a number above 0, not " + scale);
        }
        return "sf" + new BigDecimal(Double.toString(scale)).stripTrailingZeros().toPlainString();
    }
}
