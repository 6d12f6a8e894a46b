// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.docs;

import io.eyrie.testing.client.QueryResult.Column;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares what a page prints below its commands with what they print now. The values may differ, the shape may not: the columns of a table and whether they
 * contain numbers or other values; the lines of a command, but for their numbers, their spaces, and what the page abbreviates as {@code …}.
 */
final class PrintedShape
{
    private static final Pattern CELLS = Pattern.compile("\\|");
    private static final Pattern RULE = Pattern.compile("^[-+\\s]+$");
    private static final Pattern ROW_COUNT = Pattern.compile("^\\(\\d+ rows?\\)$");
    private static final Pattern NUMBER = Pattern.compile("^-?[0-9.,]+(E-?\\d+)?$");
    private static final Pattern PARTS = Pattern.compile("…|\\d[\\d.,]*|\\s+|[^…\\d\\s]+");

    private PrintedShape()
    {}

    /** Compares a table as Presto's command line client prints it. */
    static void assertTable(String printed, List<Column> columns, List<List<@Nullable Object>> rows)
    {
        List<List<String>> lines = printed.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !RULE.matcher(line).matches() && !ROW_COUNT.matcher(line).matches())
                .map(line -> Arrays.stream(CELLS.split(line, -1)).map(String::strip).toList())
                .toList();
        assertThat(columns).as("columns of the result").extracting(Column::name).containsExactlyElementsOf(lines.get(0));
        List<List<String>> shown = lines.subList(1, lines.size());
        assertThat(rows.isEmpty()).as("result without a row").isEqualTo(shown.isEmpty());
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            List<String> cells = shown.stream().map(row -> row.get(column)).filter(cell -> !cell.equals("NULL") && !cell.equals("…")).toList();
            if (cells.isEmpty()) {
                continue;
            }
            boolean numbers = cells.stream().anyMatch(cell -> NUMBER.matcher(cell).matches());
            assertThat(rows).as("column %s, which the page shows with%s numbers", columns.get(i).name(), numbers ? "" : "out")
                    .allMatch(row -> row.get(column) == null || row.get(column) instanceof Number == numbers);
        }
    }

    /** Compares the lines of a command, in order; the command may print more lines between them. */
    static void assertLines(String printed, String output)
    {
        int from = 0;
        List<String> lines = output.lines().toList();
        for (String expected : printed.lines().filter(line -> !line.isBlank()).toList()) {
            Pattern pattern = pattern(expected);
            int found = from;
            while (found < lines.size() && !pattern.matcher(lines.get(found)).matches()) {
                found++;
            }
            assertThat(found).as("a line like \"%s\" in:%n%s", expected, output).isLessThan(lines.size());
            from = found + 1;
        }
    }

    private static Pattern pattern(String line)
    {
        StringBuilder pattern = new StringBuilder("\\s*");
        PARTS.matcher(line.strip()).results().forEach(part -> {
            String text = part.group();
            pattern.append(text.equals("…")
                    ? ".*"
                    : Character.isDigit(text.charAt(0)) ? "\\d[\\d.,]*" : text.isBlank() ? "\\s+" : Pattern.quote(text));
        });
        return Pattern.compile(pattern.append("\\s*").toString());
    }
}
