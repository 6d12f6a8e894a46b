// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.cli.page.HtmlPage;
import io.eyrie.cli.page.LineChart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Draws hit ratios over capacity: one chart per trace, one line per policy. */
final class ReplayChart
{
    private ReplayChart()
    {}

    static String page(List<BenchResult> results)
    {
        // by trace, then policy, then capacity
        Map<String, Map<String, TreeMap<Long, Double>>> charts = new LinkedHashMap<>();
        for (BenchResult result : results) {
            int dash = result.name().lastIndexOf('-');
            Long percent = Long.valueOf(result.name().substring(dash + 1).replace("pct", ""));
            Map<String, TreeMap<Long, Double>> lines = charts.computeIfAbsent(result.name().substring(0, dash), trace -> new LinkedHashMap<>());
            lines.computeIfAbsent("s3-fifo", ours -> new TreeMap<>()).put(percent, 100 * result.ours());
            lines.computeIfAbsent(result.peerName(), peer -> new TreeMap<>()).put(percent, 100 * result.peer());
        }
        HtmlPage page = new HtmlPage("Hit ratio in percent over capacity in percent of all pages");
        charts.forEach((trace, lines) -> page.chart(new LineChart(
                trace,
                100,
                ratio -> String.format(Locale.ROOT, "%.0f", ratio),
                capacity -> capacity + "%",
                lines).svg()));
        return page.end();
    }
}
