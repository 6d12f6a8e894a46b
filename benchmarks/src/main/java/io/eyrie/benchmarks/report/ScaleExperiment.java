// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.Medians;
import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.benchmarks.soak.Leaks;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static io.eyrie.benchmarks.report.Findings.OURS;

/** How a warm query's time grows with its splits: 10 to 10,000 small files of one split each. */
final class ScaleExperiment
        implements Experiment
{
    /*
     * Memory   The growth of the live objects in the coordinator's heap since before a variant's first runs of a query, by a histogram, which makes
     *          the JVM collect first. It includes the engine's record of the query, which is the same for each variant.
     */
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 2;
    private static final int WARMUPS = 2;
    private static final int ROWS_A_FILE = 200;
    /** The least growth that a histogram can distinguish from none. */
    private static final double LEAST_HEAP_BYTES = 64 << 10;
    private static final double BAR_SPLIT = 2;
    private static final double BAR_GROWTH = 1;
    private static final String SCHEMA = "scale";
    private static final String EMPTY = "scale_empty";
    private static final List<Integer> FILES = List.of(10, 100, 1000, 10_000);

    @Override
    public String name()
    {
        return "scale";
    }

    @Override
    public String question()
    {
        return "A warm aggregation over 10 to 10,000 files with one split each, near, fragment results included. seconds-per-split: the difference between the largest and the smallest table, divided by the number of "
                + "further splits. coordinator-heap: how much the coordinator's live heap has grown since before the variant's first runs.";
    }

    @Override
    public List<String> cells(boolean quick)
    {
        return List.of("files");
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public void measure(String cell, Setup setup, Findings findings)
    {
        List<Integer> counts = setup.quick() ? FILES.subList(0, 3) : FILES;
        try (Lake lake = PeerLake.builder(setup.checkout(), "report-" + name(), setup.progress()).start()) {
            createTables(lake, counts);
            lake.link().reshape(LinkShape.STANDARD);
            for (int files : counts) {
                warm(lake, files, setup.repeats(), findings);
            }
            judge(counts, findings);
        }
    }

    private static void createTables(Lake lake, List<Integer> counts)
    {
        for (String schema : List.of(SCHEMA, EMPTY)) {
            lake.client(schema).execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
        }
        String source = "tpch.tiny.orders";
        for (int files : counts) {
            lake.createTable(EMPTY, "files_" + files, lake.columnsOf(source), "format = 'ORC'");
            lake.createTableOfCopies(SCHEMA, "files_" + files, lake.columnsOf(source), "SELECT * FROM " + source + " LIMIT " + ROWS_A_FILE, files);
        }
    }

    private static void warm(Lake lake, int files, int repeats, Findings findings)
    {
        String row = "files-" + files;
        String sql = "SELECT count(*), sum(o_orderkey), max(o_orderdate) FROM files_" + files;
        List<Variant> variants = List.of(Variant.OURS, Variant.VANILLA, Variant.RAPTORX);
        QueryResult expected = PeerLake.client(lake, Variant.VANILLA, SCHEMA).execute(sql);
        for (Variant variant : variants) {
            double before = coordinatorHeap(lake);
            for (int run = 0; run < WARMUPS; run++) {
                Rows.assertSameRows(PeerLake.client(lake, variant, SCHEMA).execute(sql), expected);
            }
            findings.add(row, "coordinator-heap", "B", variant.peerName(), Math.max(LEAST_HEAP_BYTES, coordinatorHeap(lake) - before));
        }
        Map<String, PrestoClient> clients = new LinkedHashMap<>();
        variants.forEach(variant -> clients.put(variant.peerName(), PeerLake.client(lake, variant, SCHEMA)));
        clients.put(Variant.FLOOR.peerName(), PeerLake.client(lake, Variant.FLOOR, EMPTY));
        new Turns(findings, 0, repeats).measure(row, sql, clients);
        findings.compare(row, "warm-time", Variant.FLOOR.peerName(), null);
        for (Variant peer : List.of(Variant.VANILLA, Variant.RAPTORX)) {
            findings.compare(row, "warm-time", peer.peerName(), null);
            // with fewer files, other allocations of the JVM are larger
            if (files >= 1000) {
                findings.compare(row, "coordinator-heap", peer.peerName(), null);
            }
        }
    }

    private static double coordinatorHeap(Lake lake)
    {
        return Leaks.liveBytes(lake.presto().pids().get(0));
    }

    /* Judges the time per split, and the growth from the smallest table to the largest. */
    static void judge(List<Integer> counts, Findings findings)
    {
        int least = counts.get(0);
        int most = counts.get(counts.size() - 1);
        for (Variant variant : List.of(Variant.OURS, Variant.VANILLA, Variant.RAPTORX)) {
            List<Double> large = findings.samples("files-" + most, "warm-time").of(variant.peerName());
            double small = Medians.median(findings.samples("files-" + least, "warm-time").of(variant.peerName()));
            large.forEach(seconds -> findings.add("split", "seconds-per-split", "s", variant.peerName(), Math.max(0, seconds - small) / (most
                    - least)));
        }
        findings.compare("split", "seconds-per-split", Variant.VANILLA.peerName(), BAR_SPLIT);
        findings.compare("split", "seconds-per-split", Variant.RAPTORX.peerName(), null);
        for (Variant peer : List.of(Variant.VANILLA, Variant.RAPTORX)) {
            findings.add(BenchResult.lessIsBetter(
                    new Question("growth", "times-slower", "1", peer.peerName()),
                    List.of(growth(findings, OURS, least, most)),
                    List.of(growth(findings, peer.peerName(), least, most)),
                    peer == Variant.VANILLA ? Double.valueOf(BAR_GROWTH) : null));
        }
    }

    private static double growth(Findings findings, String variant, int least, int most)
    {
        return Medians.median(findings.samples("files-" + most, "warm-time").of(variant)) / Medians.median(findings.samples("files-" + least,
                "warm-time").of(
                        variant));
    }
}
