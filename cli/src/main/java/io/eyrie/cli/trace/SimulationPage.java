// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.trace;

import io.eyrie.cli.console.Words;
import io.eyrie.cli.page.HtmlPage;
import io.eyrie.cli.page.LineChart;
import io.eyrie.cli.trace.SimulationReport.Point;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** Writes a simulation as a page for a browser. */
final class SimulationPage
{
    private SimulationPage()
    {}

    static String of(SimulationReport report)
    {
        HtmlPage page = new HtmlPage("Simulated caches");
        if (report.twice() != null) {
            page.heading(2, report.twice());
        }
        page.paragraph(report.summary());
        if (report.lookups() > 0) {
            chart(page, report, "Hit ratio over capacity, percent", 100, value -> String.format(Locale.ROOT, "%.0f", value), point -> 100 * point
                    .hitRatio());
            chart(page, report, "Remote bytes over capacity", (double) report.bytes(), value -> Words.size((long) value), point -> (double) point
                    .remoteBytes());
            page.table(SimulationReport.heads(), report.capacities().stream().map(report::cells).toList());
        }
        page.paragraph(SimulationReport.notes());
        page.list(report.traces().stream().map(TraceFiles.Summary::words).toList());
        return page.end();
    }

    private static void chart(
            HtmlPage page,
            SimulationReport report,
            String title,
            double top,
            DoubleFunction<String> label,
            ToDoubleFunction<Point> value)
    {
        Map<String, TreeMap<Long, Double>> lines = new LinkedHashMap<>();
        for (Point point : report.points()) {
            lines.computeIfAbsent(point.policy(), policy -> new TreeMap<>()).put(point.capacityBytes(), value.applyAsDouble(point));
        }
        page.chart(new LineChart(title, top, label, Words::size, lines).svg());
    }
}
