// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import io.eyrie.benchmarks.bench.BenchResult;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Draws hit ratios over capacity: one panel per trace, one line per policy. */
final class ReplayChart
{
    private static final int PANEL_WIDTH = 190;
    private static final int PANEL_HEIGHT = 200;
    private static final int PANELS_A_ROW = 4;
    private static final int LEFT = 40;
    private static final int TOP = 35;
    private static final int PLOT_WIDTH = 135;
    private static final int PLOT_HEIGHT = 135;
    private static final int STEP_PERCENT = 25;
    private static final Map<String, String> COLORS = new LinkedHashMap<>();

    static {
        COLORS.put("s3-fifo", "#15c");
        COLORS.put("lru", "#888");
        COLORS.put("w-tinylfu", "#c51");
        COLORS.put("belady", "#2a7");
    }

    private ReplayChart()
    {}

    static String svg(List<BenchResult> results)
    {
        // by trace, then policy, then capacity
        Map<String, Map<String, Map<Integer, Double>>> panels = new LinkedHashMap<>();
        for (BenchResult result : results) {
            int dash = result.name().lastIndexOf('-');
            int percent = Integer.parseInt(result.name().substring(dash + 1).replace("pct", ""));
            Map<String, Map<Integer, Double>> lines = panels.computeIfAbsent(result.name().substring(0, dash), trace -> new LinkedHashMap<>());
            lines.computeIfAbsent(result.peerName(), peer -> new TreeMap<>()).put(percent, result.peer());
            lines.computeIfAbsent("s3-fifo", ours -> new TreeMap<>()).put(percent, result.ours());
        }
        int rows = (panels.size() + PANELS_A_ROW - 1) / PANELS_A_ROW;
        StringBuilder svg = new StringBuilder();
        line(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">",
                PANELS_A_ROW * PANEL_WIDTH + LEFT, rows * PANEL_HEIGHT + TOP);
        line(svg, "<title>Hit ratio in percent over capacity in percent of all pages</title>");
        line(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        int panel = 0;
        for (Map.Entry<String, Map<String, Map<Integer, Double>>> entry : panels.entrySet()) {
            line(svg, "<g transform=\"translate(%d %d)\">", panel % PANELS_A_ROW * PANEL_WIDTH, panel / PANELS_A_ROW * PANEL_HEIGHT);
            drawPanel(svg, entry.getKey(), entry.getValue());
            line(svg, "</g>");
            panel++;
        }
        int x = LEFT;
        for (Map.Entry<String, String> color : COLORS.entrySet()) {
            line(svg, "<text x=\"%d\" y=\"%d\" fill=\"%s\" font-weight=\"bold\">%s</text>", x, rows * PANEL_HEIGHT + TOP / 2, color.getValue(), color
                    .getKey());
            x += PANEL_WIDTH / 2;
        }
        return svg.append("</svg>\n").toString();
    }

    private static void drawPanel(StringBuilder svg, String title, Map<String, Map<Integer, Double>> lines)
    {
        line(svg, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-weight=\"bold\">%s</text>", LEFT + PLOT_WIDTH / 2, TOP - 10, title);
        for (int percent = 0; percent <= 100; percent += STEP_PERCENT) {
            line(svg, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>", LEFT, y(percent), LEFT + PLOT_WIDTH, y(percent));
            line(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>", LEFT - 6, y(percent) + 4, percent);
        }
        lines.forEach((policy, ratios) -> {
            List<String> points = new ArrayList<>();
            int place = 0;
            for (Map.Entry<Integer, Double> ratio : ratios.entrySet()) {
                double x = LEFT + (place + 0.5) * PLOT_WIDTH / ratios.size();
                points.add(String.format(Locale.ROOT, "%.1f,%.1f", x, y(100 * ratio.getValue())));
                if (policy.equals("lru")) {
                    line(svg, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d%%</text>", x, TOP + PLOT_HEIGHT + 15, ratio.getKey());
                }
                place++;
            }
            line(svg, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", String.join(" ", points), COLORS.getOrDefault(
                    policy, "#000"));
        });
    }

    private static double y(double percent)
    {
        return TOP + PLOT_HEIGHT * (1 - percent / 100);
    }

    private static void line(StringBuilder svg, String format, Object... values)
    {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
