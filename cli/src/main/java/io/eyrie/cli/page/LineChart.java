// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;

/**
 * A chart of lines over quantities above 0, such as capacities, on a logarithmic scale.
 *
 * @param top the value at the top of the chart; the bottom is 0
 * @param values formats values, {@code places} the quantities below the chart
 * @param lines a value by quantity for each line, in the order of the legend
 */
public record LineChart(
        String title,
        double top,
        DoubleFunction<String> values,
        LongFunction<String> places,
        Map<String, ? extends SortedMap<Long, Double>> lines)
{
    private static final int WIDTH = 560;
    private static final int HEIGHT = 330;
    private static final int LEFT = 75;
    private static final int TOP = 45;
    private static final int PLOT_WIDTH = 460;
    private static final int PLOT_HEIGHT = 225;
    private static final int STEPS = 4;
    private static final int LABEL_WIDTH = 62;
    private static final List<String> COLORS = List.of("#15c", "#c51", "#2a7", "#86b");
    private static final List<String> DASHES = List.of("none", "6 3", "2 3", "8 2 2 2");

    /** Returns the chart as an SVG element. */
    public Markup svg()
    {
        Markup svg = new Markup();
        svg.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 " + WIDTH + " " + HEIGHT, "width", WIDTH, "font-size", 12);
        svg.text("title", title);
        svg.text("text", title, "x", LEFT, "y", TOP - 25, "font-weight", "bold");
        for (int step = 0; step <= STEPS; step++) {
            double value = top * step / STEPS;
            svg.empty("line", "x1", LEFT, "y1", y(value), "x2", LEFT + PLOT_WIDTH, "y2", y(value), "stroke", "#ddd");
            svg.text("text", values.apply(value), "x", LEFT - 6, "y", y(value) + 4, "text-anchor", "end");
        }
        TreeSet<Long> quantities = new TreeSet<>();
        lines.values().forEach(line -> quantities.addAll(line.keySet()));
        double free = 0;
        for (long quantity : quantities) {
            double x = x(quantity, quantities);
            // omits labels that would overlap
            if (x >= free) {
                svg.text("text", places.apply(quantity), "x", x, "y", TOP + PLOT_HEIGHT + 17, "text-anchor", "middle");
                free = x + LABEL_WIDTH;
            }
        }
        int index = 0;
        for (Map.Entry<String, ? extends SortedMap<Long, Double>> line : lines.entrySet()) {
            List<String> points = new ArrayList<>();
            line.getValue().forEach((quantity, value) -> points.add(String.format(Locale.ROOT, "%.1f,%.1f", x(quantity, quantities), y(value))));
            Object[] stroke = {"stroke-width", 2, "stroke", COLORS.get(index % COLORS.size()), "stroke-dasharray", DASHES.get(index % DASHES.size())};
            int legend = LEFT + index * PLOT_WIDTH / Math.max(STEPS, lines.size());
            svg.open("g", stroke);
            svg.empty("polyline", "points", String.join(" ", points), "fill", "none");
            svg.empty("line", "x1", legend, "y1", HEIGHT - 12, "x2", legend + 30, "y2", HEIGHT - 12);
            svg.close();
            svg.text("text", line.getKey(), "x", legend + 36, "y", HEIGHT - 8);
            index++;
        }
        return svg.close();
    }

    private static double x(long quantity, TreeSet<Long> quantities)
    {
        double least = Math.log((double) quantities.first());
        double span = Math.log((double) quantities.last()) - least;
        return LEFT + (span == 0 ? 0.5 : (Math.log((double) quantity) - least) / span) * PLOT_WIDTH;
    }

    private double y(double value)
    {
        return TOP + PLOT_HEIGHT * (1 - (top == 0 ? 0 : value / top));
    }
}
