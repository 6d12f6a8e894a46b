// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cli.console.TextTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The observations of a soak. Its JSON has the same structure.
 *
 * @param failed the number of queries that failed, by the explanation
 * @param unexplained errors without an explanation
 * @param wrong answers that no state of the files explains, with the query
 * @param uncheckable the number of answers from times at which too many files changed
 * @param pages the number of pages read back at the end; {@code damagedPages} of them are damaged, as bytes were changed on purpose
 * @param before the resources that each node held before the soak; {@code after} at the end
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record SoakReport(
        long seed,
        double minutes,
        long queries,
        Map<String, Long> changes,
        Map<String, Long> failed,
        List<String> unexplained,
        List<String> wrong,
        long uncheckable,
        long cancelled,
        Map<Fault, Survival> faults,
        double hitRatio,
        long pages,
        long damagedPages,
        Map<String, Leaks> before,
        Map<String, Leaks> after,
        Map<String, Blocks> blocks)
{
    /** The number of injections of a fault, and after how many of them all tables' answers were right again. */
    record Survival(long injected, long survived)
    {}

    /** The bytes that a cache's directory occupies, and the bytes that the cache reports. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Blocks(double diskBytes, double accountedBytes)
    {
        // journal, probe, directories
        private static final double BESIDES = 4 << 20;

        boolean agree()
        {
            return diskBytes <= accountedBytes * 1.05 + BESIDES;
        }
    }

    /** Returns the problems found, in words; empty if there are none. */
    List<String> complaints()
    {
        List<String> complaints = new ArrayList<>();
        wrong.forEach(answer -> complaints.add("wrong: " + answer));
        unexplained.forEach(error -> complaints.add("unexplained: " + error));
        faults.forEach((fault, survival) -> {
            if (survival.survived < survival.injected) {
                complaints.add(fault + ": " + survival);
            }
        });
        after.forEach((node, leaks) -> {
            Leaks begin = before.get(node);
            if (begin == null || !leaks.isLittleMoreThan(begin)) {
                complaints.add(node + " holds " + leaks + ", before " + begin);
            }
        });
        blocks.forEach((directory, sizes) -> {
            if (!sizes.agree()) {
                complaints.add(directory + ": " + sizes);
            }
        });
        return complaints;
    }

    String text()
    {
        TextTable table = new TextTable(1, "what", "count");
        table.row("queries", Long.toString(queries));
        table.row("wrong", Integer.toString(wrong.size()));
        table.row("failed, unexplained", Integer.toString(unexplained.size()));
        failed.forEach((reason, count) -> table.row("failed: " + reason, count.toString()));
        table.row("uncheckable", Long.toString(uncheckable));
        table.row("cancelled", Long.toString(cancelled));
        changes.forEach((change, count) -> table.row("changes: " + change, count.toString()));
        faults.forEach((fault, survival) -> table.row(fault + ", survived", survival.survived + " of " + survival.injected));
        table.row("bytes from the cache", String.format(Locale.ROOT, "%.0f %%", hitRatio * 100));
        table.row("pages verified", Long.toString(pages));
        table.row("pages damaged on purpose, unread since", Long.toString(damagedPages));
        TextTable nodes = new TextTable(1, "node", "descriptors", "threads", "heap, MB");
        after.forEach((node, leaks) -> {
            Leaks begin = before.getOrDefault(node, leaks);
            nodes.row(node, pair(begin.descriptors(), leaks.descriptors()), pair(begin.threads(), leaks.threads()), pair(begin.heapBytes() / 1e6,
                    leaks.heapBytes() / 1e6));
        });
        TextTable directories = new TextTable(1, "directory", "disk, MB", "accounted, MB");
        blocks.forEach((directory, sizes) -> directories.row(directory, number(sizes.diskBytes / 1e6), number(sizes.accountedBytes / 1e6)));
        return String.join(
                System.lineSeparator(),
                table.render(),
                "",
                nodes.render(),
                "",
                directories.render(),
                "",
                String.format(Locale.ROOT, "seed %d, %.1f minutes", seed, minutes),
                String.join(System.lineSeparator(), complaints()));
    }

    private static String pair(double before, double after)
    {
        return number(before) + " to " + number(after);
    }

    private static String number(double value)
    {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
