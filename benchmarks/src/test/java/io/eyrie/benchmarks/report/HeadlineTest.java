// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchReport;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import javax.xml.parsers.DocumentBuilderFactory;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class HeadlineTest
{
    private static CellReport cell(String name, Map<String, Double> warm)
    {
        Findings findings = TpchExperimentTest.measured(name, warm);
        return new CellReport(name, "2026-11-20T00:00:00Z", 1, List.of(), findings.samples(), BenchReport.of("tpch", false, 3, findings.results()));
    }

    private static ReportPage page()
    {
        return new ReportPage(false, Map.of(), Map.of(), List.of(
                cell("far-orc", Map.of("ours", 0.5, "vanilla", 8.0, "raptorx", 1.0, "floor", 0.1)),
                cell("near-parquet", Map.of("ours", 0.25, "vanilla", 1.0, "raptorx", 0.5, "floor", 0.1))), List.of());
    }

    private static List<String> attributes(NodeList nodes, String name)
    {
        return IntStream.range(0, nodes.getLength()).mapToObj(i -> nodes.item(i).getAttributes().getNamedItem(name).getNodeValue()).toList();
    }

    @Test
    void reportBeginsWithMeansByLinkAndFormat()
    {
        List<String> lines = page().markdown().lines().toList();
        assertThat(lines.subList(2, 10)).containsExactly(
                "![TPC-H's 22 queries, geometric mean by link and format](report.svg)",
                "",
                "| link, format | times faster than | cold | warm | restarted | a partition changed |",
                "|---|---|---|---|---|---|",
                "| far, ORC | vanilla | 1.00 | 16.0 | 1.00 | 1.00 |",
                "| far, ORC | raptorx | 1.00 | 2.00 | 1.00 | 1.00 |",
                "| near, Parquet | vanilla | 1.00 | 4.00 | 1.00 | 1.00 |",
                "| near, Parquet | raptorx | 1.00 | 2.00 | 1.00 | 1.00 |");
    }

    @Test
    void barsHaveALinearScaleAndAlwaysTheSameOrder()
            throws Exception
    {
        String svg = page().svg().orElseThrow();
        Document plot = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(
                StandardCharsets.UTF_8)));
        assertThat(svg.lines().count()).isLessThan(150);
        assertThat(plot.getDocumentElement().getTextContent()).contains("far, ORC", "8.00", "0.500, 16.0x", "2.00, 4.0x",
                "prefers-color-scheme: dark");
        NodeList rectangles = plot.getElementsByTagName("rect");
        List<String> colors = attributes(rectangles, "fill");
        assertThat(new ArrayList<>(colors.subList(4, 8))).isEqualTo(colors.subList(0, 4)).isEqualTo(colors.subList(8, 12)).doesNotHaveDuplicates();
        List<Double> widths = attributes(rectangles, "width").stream().map(Double::valueOf).toList();
        // vanilla, raptorx, Eyrie's first run, Eyrie
        assertThat(widths.subList(4, 8)).containsExactly(570.0, 71.3, 142.5, 35.6);
        assertThat(widths.subList(8, 12)).containsExactly(71.3, 35.6, 142.5, 17.8);
    }

    @Test
    void reportWithoutTpchHasNoHeadline()
    {
        ReportPage other = new ReportPage(true, Map.of(), Map.of(), List.of(), List.of("tpch/far-orc"));
        assertThat(other.svg()).isEmpty();
        assertThat(other.markdown()).doesNotContain("report.svg").contains("- not measured: tpch/far-orc");
    }
}
