// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The rows of one file: row {@code i} of {@link #rows} is {@code x = (100 + id) * 100000 + i}, {@code id}, {@code i} and the text of {@code x}. Two
 * contents with the same number of rows have the same length as text files.
 */
record Content(int id)
{
    static final int COUNT = 8;
    static final String COLUMNS = "x bigint, id integer, i integer, s varchar";

    private static final int SMALL_ROWS = 300;
    private static final int LARGE_ROWS = 60_000;
    private static final long IDS_FROM = 100;
    private static final long ROWS_OF_ID = 100_000;

    int rows()
    {
        // one in four takes several pages
        return id % 4 == 3 ? LARGE_ROWS : SMALL_ROWS;
    }

    long x(int row)
    {
        return (IDS_FROM + id) * ROWS_OF_ID + row;
    }

    /** Returns the sum of {@code x} over the rows from {@code from}, inclusive, to {@code to}, exclusive. */
    long sum(int from, int to)
    {
        int most = Math.min(to, rows());
        return most <= from ? 0 : (x(from) + x(most - 1)) * (most - from) / 2;
    }

    /** Returns the number of rows from {@code from}, inclusive, to {@code to}, exclusive. */
    int count(int from, int to)
    {
        return Math.max(0, Math.min(to, rows()) - from);
    }

    /** Returns a query that returns the rows. */
    String query()
    {
        return String.format(
                Locale.ROOT,
                "SELECT %d + n, %d, CAST(n AS integer), CAST(%d + n AS varchar) FROM (SELECT a * 300 + b AS n FROM UNNEST(sequence(0, %d)) AS t(a), UNNEST(sequence(0, %d)) AS u(b))",
                x(0),
                id,
                x(0),
                rows() / SMALL_ROWS - 1,
                SMALL_ROWS - 1);
    }

    /** Returns the rows as a text file with Hive's default delimiter; {@code x} has the same width in all contents. */
    byte[] text()
    {
        StringBuilder lines = new StringBuilder();
        for (int row = 0; row < rows(); row++) {
            lines.append(x(row)).append('\1').append(id).append('\1').append(row).append('\1').append(x(row)).append('\n');
        }
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
