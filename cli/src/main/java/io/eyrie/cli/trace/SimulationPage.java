// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import io.eyrie.cli.console.Words;
import io.eyrie.cli.trace.SimulationReport.Point;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

import static io.eyrie.cli.console.Xml.escaped;

/** Writes a simulation as a page for a browser: one file, well-formed XML, without scripts. */
final class SimulationPage
{
    private static final int WIDTH = 560;
    private static final int HEIGHT = 330;
    private static final int LEFT = 75;
    private static final int TOP = 45;
    private static final int PLOT_WIDTH = 460;
    private static final int PLOT_HEIGHT = 225;
    private static final int STEPS = 4;
    private static final Map<String, String> STROKES = Map.of(
            "S3_FIFO", "stroke=\"#15c\"",
            "LRU", "stroke=\"#c51\" stroke-dasharray=\"6 3\"",
            SimulationReport.OPTIMUM, "stroke=\"#2a7\" stroke-dasharray=\"2 3\"");

    private final SimulationReport report;
    private final StringBuilder page = new StringBuilder();

    private SimulationPage(SimulationReport report)
    {
        this.report = report;
    }

    static String of(SimulationReport report)
    {
        return new SimulationPage(report).write();
    }

    private String write()
    {
        line("<!DOCTYPE html>");
        line("<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">");
        line("<head><meta charset=\"UTF-8\"/><title>Eyrie: simulated caches</title><style>");
        line("body { font-family: sans-serif; max-width: 1180px; margin: 2em auto; padding: 0 1em; color: #222; background: #fff }");
        line("table { border-collapse: collapse } th, td { padding: 0.25em 0.8em; text-align: right; border-bottom: 1px solid #ddd }");
        line("svg { width: 100%%; max-width: 560px; font-size: 12px } .twice { font-size: 1.2em; font-weight: bold }");
        line("</style></head><body>");
        line("<h1>Simulated caches</h1>");
        if (report.twice() != null) {
            line("<p class=\"twice\">%s</p>", escaped(report.twice()));
        }
        line("<p>%s</p>", escaped(report.summary()));
        if (report.lookups() > 0) {
            chart("Hit ratio, percent", point -> 100 * point.hitRatio(), 100, value -> String.format(Locale.ROOT, "%.0f", value));
            chart("Remote bytes", point -> (double) point.remoteBytes(), (double) report.bytes(), value -> Words.size((long) value));
            table();
        }
        line("<p>%s</p>", escaped(SimulationReport.notes()));
        line("<ul>");
        report.traces().forEach(trace -> line("<li>%s</li>", escaped(trace.words())));
        line("</ul></body></html>");
        return page.toString();
    }

    private interface Label
    {
        String of(double value);
    }

    private void chart(String title, ToDoubleFunction<Point> height, double top, Label label)
    {
        List<Long> capacities = report.capacities();
        line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, HEIGHT);
        line("<title>%s, over capacity</title>", escaped(title));
        line("<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>", LEFT, TOP - 25, escaped(title));
        for (int step = 0; step <= STEPS; step++) {
            double y = TOP + PLOT_HEIGHT * (1 - (double) step / STEPS);
            line("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT, y, LEFT + PLOT_WIDTH, y);
            line("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 6, y + 4, escaped(label.of(top * step / STEPS)));
        }
        double free = 0;
        for (long capacityBytes : capacities) {
            double x = x(capacityBytes);
            // omits labels that would overlap
            if (x >= free) {
                line("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, TOP + PLOT_HEIGHT + 17, Words.size(capacityBytes));
                free = x + 62;
            }
        }
        int legend = LEFT;
        for (String policy : SimulationReport.policies()) {
            String stroke = STROKES.getOrDefault(policy, "stroke=\"#777\"");
            List<String> places = new ArrayList<>();
            for (Point point : report.points(policy)) {
                double y = TOP + PLOT_HEIGHT * (1 - (top == 0 ? 0 : height.applyAsDouble(point) / top));
                places.add(String.format(Locale.ROOT, "%.1f,%.1f", x(point.capacityBytes()), y));
            }
            line("<polyline points=\"%s\" fill=\"none\" stroke-width=\"2\" %s/>", String.join(" ", places), stroke);
            line("<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke-width=\"2\" %s/>", legend, HEIGHT - 12, legend + 30, HEIGHT - 12, stroke);
            line("<text x=\"%d\" y=\"%d\">%s</text>", legend + 36, HEIGHT - 8, escaped(policy));
            legend += 130;
        }
        line("</svg>");
    }

    /** Returns the horizontal position on a logarithmic scale. */
    private double x(long capacityBytes)
    {
        List<Long> capacities = report.capacities();
        double least = Math.log(capacities.get(0));
        double span = Math.log(capacities.get(capacities.size() - 1)) - least;
        return LEFT + (span == 0 ? 0.5 : (Math.log((double) capacityBytes) - least) / span) * PLOT_WIDTH;
    }

    private void table()
    {
        line("<table><tr><th>capacity</th><th>of all pages</th>");
        SimulationReport.policies().forEach(policy -> line("<th>%s hits</th>", escaped(policy)));
        SimulationReport.policies().forEach(policy -> line("<th>%s remote</th>", escaped(policy)));
        line("</tr>");
        for (long capacityBytes : report.capacities()) {
            line("<tr>");
            report.cells(capacityBytes).forEach(cell -> line("<td>%s</td>", escaped(cell)));
            line("</tr>");
        }
        line("</table>");
    }

    private void line(String format, Object... values)
    {
        page.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
