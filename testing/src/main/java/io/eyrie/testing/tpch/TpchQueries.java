package io.eyrie.testing.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The 22 queries of TPC-H with the standard's validation parameters, for Presto.
 *
 * <p>Tables are unqualified and columns carry the standard's prefixes: the source catalog needs
 * {@code tpch.column-naming=STANDARD}. Answers need no more than the types of Presto's {@code tpch} connector.
 */
public final class TpchQueries
{
    /** How many queries there are; they are numbered from 1. */
    public static final int COUNT = 22;

    /** The eight tables, small ones first. */
    public static final List<String> TABLES = List.of("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem");

    /**
     * A small scale factor at which every query answers rows with values in them. At 0.01 each answers rows, but q17's only one is
     * NULL; below that, q20 and q21 answer none.
     */
    public static final double SMALL_SCALE = 0.015;

    private TpchQueries()
    {}

    /** The SQL of a query, without a semicolon. */
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

    /** The name of a query, {@code q1} to {@code q22}. */
    public static String name(int number)
    {
        return "q" + number;
    }

    /**
     * The schema of the {@code tpch} connector that holds a scale factor, not quoted: {@code sf0.1}, {@code sf1}.
     */
    public static String sourceSchema(double scale)
    {
        if (!(scale > 0) || Double.isInfinite(scale)) {
            throw new IllegalArgumentException("A scale factor is a number above 0, not " + scale);
        }
        return "sf" + new BigDecimal(Double.toString(scale)).stripTrailingZeros().toPlainString();
    }
}
