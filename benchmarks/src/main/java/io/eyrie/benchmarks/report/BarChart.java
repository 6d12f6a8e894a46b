// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.Medians;
import io.eyrie.benchmarks.bench.BenchReport;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.cli.page.Markup;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Draws measurements of the same metric and unit: one bar per variant, always in the same order, with a line from the least to the largest value.
 * Times also show how many times shorter they are than those without caches.
 */
final class BarChart
{
    private static final int WIDTH = 900;
    private static final int LEFT = 150;
    private static final int PLOT_WIDTH = 570;
    private static final int TOP = 46;
    private static final int BAR = 14;
    private static final int GAP = 10;
    private static final String VANILLA = Variant.VANILLA.peerName();
    private static final List<String> ORDER = List.of(VANILLA, Variant.RAPTORX.peerName(), Headline.COLD, Findings.OURS, Variant.FLOOR.peerName());
    private static final List<String> COLORS = List.of("#8b949e", "#d2691e", "#85b1f0", "#2f6fde", "#2e9e6b");
    private static final Map<String, String> MEANINGS = Map.of(
            VANILLA, "no cache",
            Variant.RAPTORX.peerName(), "all of Presto's caches",
            Headline.COLD, "Eyrie, first run",
            Findings.OURS, "Eyrie",
            Variant.FLOOR.peerName(), "Eyrie, no rows");
    private static final List<String> OTHER_COLORS = List.of("#8a63d2", "#1a9ba8", "#b08800", "#c75a95");
    /** The colors of a browser's light or dark theme. */
    private static final String STYLE = """
            svg { color: #1f2328; background: #fff }
            @media (prefers-color-scheme: dark) { svg { color: #e6edf3; background: #0d1117 } }
            """;

    private final Markup svg = new Markup();
    private final List<String> variants;
    private final double most;

    private BarChart(List<Samples> rows)
    {
        Comparator<String> order = Comparator.comparingInt(variant -> ORDER.contains(variant) ? ORDER.indexOf(variant) : ORDER.size());
        variants = rows.stream().flatMap(row -> row.values().keySet().stream()).distinct().sorted(order.thenComparing(Comparator.naturalOrder()))
                .toList();
        most = rows.stream().flatMap(row -> row.values().values().stream()).flatMap(List::stream).mapToDouble(Double::doubleValue).max()
                .orElse(0);
    }

    /** Draws a chart for a page. */
    static Markup svg(String title, List<Samples> rows)
    {
        return new BarChart(rows).draw(title, rows, false);
    }

    /** Draws a chart as a file of its own. */
    static String file(String title, List<Samples> rows)
    {
        return new BarChart(rows).draw(title, rows, true).toString();
    }

    private Markup draw(String title, List<Samples> rows, boolean styled)
    {
        int bars = rows.stream().mapToInt(row -> row.values().size()).sum();
        String size = WIDTH + " " + (TOP + bars * BAR + rows.size() * GAP);
        svg.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 " + size, "width", WIDTH, "font-family", "sans-serif", "font-size", 12,
                "fill", "currentColor", "role", "img");
        svg.text("title", title);
        if (styled) {
            svg.text("style", STYLE);
        }
        String unit = rows.get(0).unit();
        svg.text("text", title + (unit.equals("1") ? "" : ", " + unit), "x", 10, "y", 18, "font-weight", "bold");
        int legend = 10;
        for (String variant : variants) {
            svg.empty("rect", "x", legend, "y", 27, "width", 10, "height", 10, "fill", color(variant));
            String words = MEANINGS.containsKey(variant) ? variant + ": " + MEANINGS.get(variant) : variant;
            svg.text("text", words, "x", legend + 15, "y", 36);
            legend += 36 + 6 * words.length();
        }
        int y = TOP;
        for (Samples row : rows) {
            svg.text("text", row.name(), "x", LEFT - 8, "y", y + BAR - 3, "text-anchor", "end");
            for (String variant : variants) {
                if (!row.of(variant).isEmpty()) {
                    bar(variant, row, y);
                    y += BAR;
                }
            }
            y += GAP;
        }
        return svg.close();
    }

    private void bar(String variant, Samples row, int y)
    {
        List<Double> values = row.of(variant);
        double median = Medians.median(values);
        double end = x(Collections.max(values));
        svg.empty("rect", "x", LEFT, "y", y, "width", Math.max(1, x(median) - LEFT), "height", BAR - 2, "fill", color(variant));
        if (values.size() > 1) {
            double middle = y + BAR / 2.0 - 1;
            svg.empty("line", "x1", x(Collections.min(values)), "y1", middle, "x2", end, "y2", middle, "stroke", "currentColor");
        }
        boolean compared = row.unit().equals("s") && !variant.equals(VANILLA) && !row.of(VANILLA).isEmpty() && median > 0;
        String times = compared ? String.format(Locale.ROOT, ", %.1fx", Medians.median(row.of(VANILLA)) / median) : "";
        svg.text("text", BenchReport.number(median) + times, "x", Math.max(end, x(median)) + 6, "y", y + BAR - 3);
    }

    private double x(double value)
    {
        return LEFT + (most == 0 ? 0 : PLOT_WIDTH * value / most);
    }

    private String color(String variant)
    {
        int known = ORDER.indexOf(variant);
        int other = variants.stream().filter(one -> !ORDER.contains(one)).toList().indexOf(variant);
        return known >= 0 ? COLORS.get(known) : OTHER_COLORS.get(other % OTHER_COLORS.size());
    }
}
