// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchReport;
import io.eyrie.benchmarks.peers.Variant;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The first figures of the report: geometric means over TPC-H's queries, by link and format.
 *
 * @param cells the measured cells of TPC-H; empty if there are none
 */
record Headline(List<CellReport> cells)
{
    /** The variant name of Eyrie's first runs. */
    static final String COLD = "ours-cold";
    static final String TITLE = "TPC-H's 22 queries, geometric mean by link and format";
    static final List<String> HEADS = List.of("link, format", "times faster than", "cold", "warm", "restarted", "a partition changed");

    private static final String WARM_TIME = "warm-time";
    private static final String COLD_TIME = "cold-time";
    private static final List<String> METRICS = List.of(COLD_TIME, WARM_TIME, "restart-time", "one-partition-changed-time");
    private static final List<String> PEERS = List.of(Variant.VANILLA.peerName(), Variant.RAPTORX.peerName());

    static Headline of(List<CellReport> cells)
    {
        return new Headline(cells.stream().filter(cell -> cell.report().benchmark().equals(TpchExperiment.NAME)).toList());
    }

    /** Returns the seconds of warm runs, beside those of Eyrie's first runs. */
    List<Samples> seconds()
    {
        List<Samples> rows = new ArrayList<>();
        for (CellReport cell : cells) {
            Map<String, List<Double>> values = new LinkedHashMap<>();
            PEERS.forEach(peer -> values.put(peer, mean(cell, WARM_TIME, peer)));
            values.put(COLD, mean(cell, COLD_TIME, Findings.OURS));
            values.put(Findings.OURS, mean(cell, WARM_TIME, Findings.OURS));
            rows.add(new Samples(words(cell), WARM_TIME, "s", values));
        }
        return rows;
    }

    /** Returns rows of ratios, under {@link #HEADS}. */
    List<List<String>> ratios()
    {
        List<List<String>> rows = new ArrayList<>();
        for (CellReport cell : cells) {
            for (String peer : PEERS) {
                rows.add(Stream.concat(Stream.of(words(cell), peer), METRICS.stream().map(metric -> ratio(cell, metric, peer))).toList());
            }
        }
        return rows;
    }

    private static List<Double> mean(CellReport cell, String metric, String variant)
    {
        return cell.samples().stream()
                .filter(samples -> samples.name().equals(cell.cell() + Findings.MEAN) && samples.metric().equals(metric))
                .flatMap(samples -> samples.of(variant).stream())
                .toList();
    }

    private static String ratio(CellReport cell, String metric, String peer)
    {
        return cell.report().results().stream()
                .filter(result -> result.name().equals(cell.cell() + Findings.MEAN) && result.metric().equals(metric))
                .filter(result -> result.peerName().equals(peer))
                .map(result -> BenchReport.number(result.ratio()))
                .findFirst()
                .orElse("–");
    }

    private static String words(CellReport cell)
    {
        return cell.cell().replace("-", ", ").replace("orc", "ORC").replace("parquet", "Parquet");
    }
}
