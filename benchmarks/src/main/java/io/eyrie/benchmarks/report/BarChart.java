// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.Medians;
import io.eyrie.benchmarks.bench.BenchReport;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static io.eyrie.cli.console.Xml.escaped;

/** Draws measurements: one bar per variant, on a logarithmic scale, with a line from the least to the largest value. */
final class BarChart
{
    private static final int WIDTH = 900;
    private static final int LEFT = 190;
    private static final int PLOT_WIDTH = 620;
    private static final int TOP = 50;
    private static final int BAR = 11;
    private static final int GAP = 9;
    private static final Map<String, String> COLORS = Map.of(
            Findings.OURS, "#15c",
            "vanilla", "#999",
            "raptorx", "#c51",
            "floor", "#2a7");
    private static final List<String> OTHER_COLORS = List.of("#86b", "#0aa", "#b90", "#c6a");

    private final StringBuilder svg = new StringBuilder();
    private final double least;
    private final double span;
    private final List<String> variants;

    private BarChart(List<Samples> rows)
    {
        variants = rows.stream().flatMap(row -> row.values().keySet().stream()).distinct().toList();
        List<Double> all = rows.stream().flatMap(row -> row.values().values().stream()).flatMap(List::stream).filter(value -> value > 0).toList();
        // below the least value, so that its bar is visible
        least = Math.floor(Math.log10(all.isEmpty() ? 1 : 0.99 * Collections.min(all)));
        span = Math.max(1, Math.ceil(Math.log10(all.isEmpty() ? 1 : Collections.max(all))) - least);
    }

    /** Draws one chart of quantities of the same metric and unit. */
    static String svg(String title, List<Samples> rows)
    {
        return new BarChart(rows).draw(title, rows);
    }

    private String draw(String title, List<Samples> rows)
    {
        int bars = rows.stream().mapToInt(row -> row.values().size()).sum();
        int height = TOP + bars * BAR + rows.size() * GAP;
        String unit = rows.get(0).unit();
        line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, height + BAR);
        line("<title>%s</title>", escaped(title));
        line("<text x=\"0\" y=\"14\" font-weight=\"bold\">%s%s</text>", escaped(title), unit.equals("1") ? "" : ", " + escaped(unit));
        int legend = LEFT;
        for (String variant : variants) {
            line("<rect x=\"%d\" y=\"5\" width=\"10\" height=\"10\" fill=\"%s\"/>", legend, color(variant));
            line("<text x=\"%d\" y=\"14\">%s</text>", legend + 14, escaped(variant));
            legend += 30 + 7 * variant.length();
        }
        for (int decade = 0; decade <= span; decade++) {
            double x = LEFT + PLOT_WIDTH * decade / span;
            line("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>", x, TOP - 10, x, height);
            line("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, TOP - 14, tick(Math.pow(10, least + decade)));
        }
        int y = TOP;
        for (Samples row : rows) {
            line("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LEFT - 8, y + BAR - 2, escaped(row.name()));
            for (String variant : row.values().keySet()) {
                bar(variant, row.of(variant), y);
                y += BAR;
            }
            y += GAP;
        }
        line("</svg>");
        return svg.toString();
    }

    private void bar(String variant, List<Double> values, int y)
    {
        double median = Medians.median(values);
        double end = Collections.max(values);
        line("<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>", LEFT, y, x(median) - LEFT, BAR - 2, color(variant));
        line("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222\"/>", x(Collections.min(values)), y + BAR / 2, x(end), y + BAR / 2);
        line("<text x=\"%.1f\" y=\"%d\">%s</text>", x(end) + 5, y + BAR - 2, BenchReport.number(median));
    }

    private double x(double value)
    {
        return value <= 0 ? LEFT : LEFT + PLOT_WIDTH * (Math.log10(value) - least) / span;
    }

    private static String tick(double value)
    {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private String color(String variant)
    {
        List<String> others = variants.stream().filter(other -> !COLORS.containsKey(other)).toList();
        return COLORS.getOrDefault(variant, OTHER_COLORS.get(Math.floorMod(others.indexOf(variant), OTHER_COLORS.size())));
    }

    private void line(String format, Object... values)
    {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
