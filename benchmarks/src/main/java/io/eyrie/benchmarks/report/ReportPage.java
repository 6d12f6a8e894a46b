// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.Medians;
import io.eyrie.benchmarks.bench.BenchReport;
import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.cli.page.HtmlPage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The report as Markdown, as an HTML page and, of its headline, as a plot.
 *
 * @param questions of the experiments, by name
 * @param remarks written remarks on an experiment's figures, by its name: paragraphs separated by an empty line
 * @param cells the measured cells, in their order; {@code missing} names the others
 */
record ReportPage(boolean quick, Map<String, String> questions, Map<String, String> remarks, List<CellReport> cells, List<String> missing)
{
    private static final Pattern PARAGRAPHS = Pattern.compile("\n\n+");
    private static final String MISSED = " missed bars";
    private static final List<String> HEADS = List.of("row", "metric", "ours", "peer", "its", "ratio", "95 %", "bar", "holds");

    ReportPage
    {
        questions = Map.copyOf(questions);
        remarks = Map.copyOf(remarks);
        cells = List.copyOf(cells);
        missing = List.copyOf(missing);
    }

    /** Returns one line: how many bars hold. */
    String summary()
    {
        long bars = cells.stream().flatMap(cell -> cell.report().results().stream()).filter(result -> result.holds() != null).count();
        return cells.size() + " cells measured, " + missing.size() + " missing; " + (bars - missed().size()) + " of " + bars + " bars hold";
    }

    private List<String> missed()
    {
        List<String> missed = new ArrayList<>();
        for (CellReport cell : cells) {
            for (BenchResult result : cell.report().results()) {
                if (Boolean.FALSE.equals(result.holds())) {
                    missed.add(title(cell) + ", " + result.name() + " " + result.metric() + ": " + BenchReport.number(result.ratio()) + " times "
                            + result.peerName() + ", bar " + bar(result));
                }
            }
        }
        return missed;
    }

    String markdown()
    {
        List<String> lines = new ArrayList<>(List.of("# The experiments, measured", ""));
        Headline headline = Headline.of(cells);
        if (!headline.cells().isEmpty()) {
            lines.addAll(List.of("![" + Headline.TITLE + "](report.svg)", ""));
            table(lines, Headline.HEADS, headline.ratios());
            lines.add("");
        }
        lines.addAll(List.of(introduction(), "", summary() + ".", ""));
        missing.forEach(name -> lines.add("- not measured: " + name));
        List<String> missed = missed();
        if (!missed.isEmpty()) {
            lines.addAll(List.of("", "<details><summary>" + missed.size() + MISSED + "</summary>", ""));
            missed.forEach(line -> lines.add("- **missed**: " + line));
            lines.addAll(List.of("", "</details>"));
        }
        String experiment = "";
        for (CellReport cell : cells) {
            if (!cell.report().benchmark().equals(experiment)) {
                experiment = cell.report().benchmark();
                lines.addAll(List.of("", "## " + experiment, "", questions.getOrDefault(experiment, "")));
                if (remarks.containsKey(experiment)) {
                    lines.addAll(List.of("", remarks.getOrDefault(experiment, "")));
                }
            }
            lines.addAll(List.of("", "### " + title(cell), "", origin(cell), ""));
            cell.notes().forEach(note -> lines.add("- " + note));
            lines.add("");
            table(lines, HEADS, cell.report().results().stream().map(result -> row(cell, result)).toList());
        }
        return String.join("\n", lines) + "\n";
    }

    private static void table(List<String> lines, List<String> heads, List<List<String>> rows)
    {
        lines.add("| " + String.join(" | ", heads) + " |");
        lines.add("|" + "---|".repeat(heads.size()));
        rows.forEach(row -> lines.add("| " + String.join(" | ", row) + " |"));
    }

    /** Returns the plot of the headline as a file of its own; empty if its cells were not measured. */
    Optional<String> svg()
    {
        Headline headline = Headline.of(cells);
        return headline.cells().isEmpty() ? Optional.empty() : Optional.of(BarChart.file(Headline.TITLE, headline.seconds()));
    }

    String html()
    {
        HtmlPage html = new HtmlPage("Eyrie: the experiments, measured");
        Headline headline = Headline.of(cells);
        if (!headline.cells().isEmpty()) {
            html.chart(BarChart.svg(Headline.TITLE, headline.seconds()));
            html.table(Headline.HEADS, headline.ratios());
        }
        html.paragraph(introduction());
        html.paragraph(summary() + ".");
        html.list(missing.stream().map(name -> "not measured: " + name).toList());
        List<String> missed = missed();
        html.folded(missed.size() + MISSED, missed);
        String experiment = "";
        for (CellReport cell : cells) {
            if (!cell.report().benchmark().equals(experiment)) {
                experiment = cell.report().benchmark();
                html.heading(2, experiment);
                html.paragraph(questions.getOrDefault(experiment, ""));
                PARAGRAPHS.splitAsStream(remarks.getOrDefault(experiment, "")).filter(remark -> !remark.isEmpty()).forEach(html::paragraph);
            }
            html.heading(3, title(cell));
            html.paragraph(origin(cell));
            html.list(cell.notes());
            cell.samples().stream().map(Samples::metric).distinct().forEach(metric -> html.chart(BarChart.svg(
                    metric,
                    cell.samples().stream().filter(samples -> samples.metric().equals(metric)).toList())));
            html.table(HEADS, cell.report().results().stream().map(result -> row(cell, result)).toList());
        }
        return html.end();
    }

    private String introduction()
    {
        return (quick
                ? "A quick look, written by bin/bench report --quick: a subset with smaller tables and fewer repeats. "
                : "Written by bin/bench report. ")
                + "Each cell was measured in one run on one machine, with the same engine, data, heap and warm-up for all variants. The variants ran in turn, and their answers were compared. "
                + "All variants share a Hive Metastore with a notification log, on Derby on the same machine (cells from before 2026-11-28: Presto's file metastore). "
                + "vanilla: Presto's own Hive connector, no caches. raptorx: the same with every cache of the RaptorX guide and the engine's fragment cache. "
                + "ours: Eyrie with cache.enabled=true, and with the file lists of all tables cached, as raptorx has them (hive.file-status-cache-tables=*). floor: ours over the same tables without rows. near: 30 ms per request, 50 MB/s per connection; far: 100 ms, 10 MB/s. "
                + "Figures are medians. ratio: how many times better ours is; 95 %: the bootstrap interval of the ratio. cache.open-partition-age=1s makes Eyrie treat new tables as sealed "
                + "after a second instead of after an hour.";
    }

    private static String title(CellReport cell)
    {
        return cell.report().benchmark() + "/" + cell.cell();
    }

    private static String origin(CellReport cell)
    {
        BenchReport report = cell.report();
        return String.format(Locale.ROOT, "%s, %.0f minutes, %d repeats, commit %s, %s, %s, %d processors.", cell.started(), cell.minutes(), report
                .repeats(),
                report.commit(), report.machine().os(), report.machine().jdk(), report.machine().processors());
    }

    private static List<String> row(CellReport cell, BenchResult result)
    {
        return List.of(
                result.name(),
                result.metric(),
                quantity(result.ours(), result),
                result.peerName(),
                quantity(result.peer(), result),
                BenchReport.number(result.ratio()),
                interval(cell, result).map(interval -> BenchReport.number(interval.low()) + " to " + BenchReport.number(interval.high()))
                        .orElseGet(() -> BenchReport.number(result.spread().get(0)) + " to " + BenchReport.number(result.spread().get(1))
                                + " (spread)"),
                bar(result),
                result.holds() == null ? "–" : result.holds() ? "yes" : "NO");
    }

    private static String quantity(double value, BenchResult result)
    {
        return BenchReport.number(value) + (result.unit().equals("1") ? "" : " " + result.unit());
    }

    private static String bar(BenchResult result)
    {
        return result.bar() == null ? "–" : BenchReport.number(result.bar());
    }

    /* Present only if both variants have the result's samples; for others, only the spread is known. */
    private static Optional<Interval> interval(CellReport cell, BenchResult result)
    {
        return cell.samples()
                .stream()
                .filter(samples -> samples.name().equals(result.name()) && samples.metric().equals(result.metric()))
                .filter(samples -> samples.of(Findings.OURS).size() > 1 && samples.of(result.peerName()).size() > 1)
                .filter(samples -> Medians.median(samples.of(result.peerName())) == result.peer())
                .map(samples -> Interval.ofRatio(samples.of(Findings.OURS), samples.of(result.peerName())))
                .findFirst();
    }
}
