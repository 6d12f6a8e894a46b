// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table of text, with columns as wide as their widest cell, and numbers aligned to the right. Not thread-safe. */
public final class TextTable
{
    private static final String GAP = "  ";

    private final List<String> header;
    private final int leftColumns;
    private final List<List<String>> rows = new ArrayList<>();

    /** Creates a table whose first {@code leftColumns} columns are aligned to the left. */
    public TextTable(int leftColumns, String... header)
    {
        this.header = List.of(header);
        this.leftColumns = leftColumns;
    }

    /** Adds a row, a cell for each column. */
    public TextTable row(String... cells)
    {
        if (cells.length != header.size()) {
            throw new IllegalArgumentException(cells.length + " cells in a table of " + header.size() + " columns");
        }
        rows.add(List.of(cells));
        return this;
    }

    /** Adds a line between rows. */
    public TextTable rule()
    {
        rows.add(List.of());
        return this;
    }

    /** Returns the lines of the table, without a line separator after the last. */
    public String render()
    {
        int[] widths = new int[header.size()];
        measure(header, widths);
        rows.forEach(row -> measure(row, widths));
        String rule = "-".repeat(Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1));
        List<String> lines = new ArrayList<>();
        lines.add(line(header, widths));
        lines.add(rule);
        rows.forEach(row -> lines.add(row.isEmpty() ? rule : line(row, widths)));
        return String.join(System.lineSeparator(), lines);
    }

    private static void measure(List<String> row, int[] widths)
    {
        for (int i = 0; i < row.size(); i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
        }
    }

    private String line(List<String> row, int[] widths)
    {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            String padding = " ".repeat(widths[i] - cell.length());
            cells.add(i < leftColumns ? cell + padding : padding + cell);
        }
        return String.join(GAP, cells).stripTrailing();
    }
}
