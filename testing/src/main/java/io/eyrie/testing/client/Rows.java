// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.client;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Array;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Compares results whose rows have no order and whose floating-point sums depend on the order of addition. */
public final class Rows
{
    /** Two doubles are equal if they differ by at most this fraction of the larger. */
    public static final double RELATIVE_TOLERANCE = 1e-9;

    private static final double STEPS_PER_UNIT = 1e7;
    private static final double OFF_THE_EDGE = 0.381966; // the logarithm of 1 is 0
    private static final int SHOWN_DIFFERENCES = 5;

    private Rows()
    {}

    /**
     * Throws an {@link AssertionError} unless both results have the same column types and the same multiset of
     * rows. REAL and DOUBLE values are compared with {@link #RELATIVE_TOLERANCE}.
     */
    public static void assertSameRows(QueryResult actual, QueryResult expected)
    {
        List<String> actualTypes = actual.columns().stream().map(QueryResult.Column::type).toList();
        List<String> expectedTypes = expected.columns().stream().map(QueryResult.Column::type).toList();
        if (!actualTypes.equals(expectedTypes)) {
            throw new AssertionError(String.format(Locale.ROOT, "Column types %s of query %s are not %s of query %s", actualTypes, actual.queryId(),
                    expectedTypes, expected.queryId()));
        }
        assertSameRows(actual.rows(), expected.rows());
    }

    /** As {@link #assertSameRows(QueryResult, QueryResult)}, but compares only the rows. */
    public static void assertSameRows(List<List<@Nullable Object>> actual, List<List<@Nullable Object>> expected)
    {
        if (actual.size() != expected.size()) {
            throw new AssertionError(String.format(Locale.ROOT, "%s rows, expected %s", actual.size(), expected.size()));
        }
        List<List<@Nullable Object>> left = sorted(actual);
        List<List<@Nullable Object>> right = sorted(expected);
        List<String> differences = new ArrayList<>();
        int different = 0;
        for (int i = 0; i < left.size(); i++) {
            if (!same(left.get(i), right.get(i))) {
                different++;
                if (differences.size() < SHOWN_DIFFERENCES) {
                    differences.add(String.format(Locale.ROOT, "  actual   %s%n  expected %s", left.get(i), right.get(i)));
                }
            }
        }
        if (different > 0) {
            throw new AssertionError(String.format(Locale.ROOT, "%s of %s rows differ:%n%s", different, left.size(), String.join("\n", differences)));
        }
    }

    /**
     * Returns a checksum that ignores the order of the rows but counts duplicates. REAL and DOUBLE values contribute about seven significant digits,
     * so sums that were added in different orders have the same checksum.
     */
    public static String checksum(List<List<@Nullable Object>> rows)
    {
        long sum = rows.size();
        for (List<@Nullable Object> row : rows) {
            sum += hash(canonical(row));
        }
        return String.format(Locale.ROOT, "%016x", sum);
    }

    private static List<List<@Nullable Object>> sorted(List<List<@Nullable Object>> rows)
    {
        // Sorts by rounded values: two runs of the same sum then sort alike, except for a value at the edge of rounding.
        return rows.stream()
                .map(row -> Map.entry(canonical(row), row))
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .map(Map.Entry::getValue)
                .toList();
    }

    private static boolean same(@Nullable Object left, @Nullable Object right)
    {
        if (left instanceof List<?> leftList && right instanceof List<?> rightList) {
            if (leftList.size() != rightList.size()) {
                return false;
            }
            for (int i = 0; i < leftList.size(); i++) {
                if (!same(leftList.get(i), rightList.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (left instanceof Number leftNumber && right instanceof Number rightNumber && isFloatingPoint(left) && isFloatingPoint(right)) {
            double a = leftNumber.doubleValue();
            double b = rightNumber.doubleValue();
            return Double.compare(a, b) == 0 || Math.abs(a - b) <= RELATIVE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
        }
        return canonical(left).equals(canonical(right));
    }

    private static boolean isFloatingPoint(Object value)
    {
        return value instanceof Double || value instanceof Float;
    }

    /** Returns a text that is the same for equal values of one type, whatever class the driver returns for them. */
    private static String canonical(@Nullable Object value)
    {
        if (value == null) {
            return "NULL";
        }
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                return Double.toString(number);
            }
            return number == 0 ? "0" : roundedLogarithm(number);
        }
        if (value instanceof byte[] bytes) {
            return Arrays.toString(bytes);
        }
        if (value instanceof Array array) {
            try {
                return canonical(Arrays.asList((Object[]) array.getArray()));
            }
            catch (SQLException e) {
                throw new IllegalStateException("The driver does not give up an array", e);
            }
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> entries = new TreeMap<>();
            map.forEach((key, element) -> entries.put(canonical(key), canonical(element)));
            return entries.toString();
        }
        if (value instanceof Collection<?> collection) {
            return collection.stream().map(Rows::canonical).toList().toString();
        }
        return value.toString();
    }

    /**
     * Returns the sign and the rounded logarithm. Rounding decimal digits does not work: a sum of prices often ends in exactly the 5 at which
     * rounding turns, and the last bit of the double then decides. The logarithm of a short decimal number is never near an edge of this grid.
     */
    private static String roundedLogarithm(double number)
    {
        return (number < 0 ? "-" : "") + (long) Math.floor(StrictMath.log(Math.abs(number)) * STEPS_PER_UNIT + OFF_THE_EDGE);
    }

    private static long hash(String text)
    {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            long hash = 0;
            for (int i = 0; i < Long.BYTES; i++) {
                hash = (hash << Byte.SIZE) | (digest[i] & 0xff);
            }
            return hash;
        }
        catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
