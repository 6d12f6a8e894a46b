// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Ssb;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;

import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/** The star schema benchmark: the second run, warm, over a window of days that moves, and after one row of a dimension changed. */
final class SsbExperiment
        implements Experiment
{
    /*
     * Second run   The run that computes what later runs read: everything of ours is invalidated, the query runs once, and its next run counts.
     * Moved        The first query of flights 2, 3 and 4 over a year of orders that begins a day later in each repeat.
     * Dimension    A second row of one supplier of each nation is inserted, so that its orders count twice. Vanilla's answers are the reference; outdated
     *              answers of the peer are noted.
     */
    private static final double SCALE = 1;
    private static final double QUICK_SCALE = 0.1;
    private static final double SMALL_SCALE = 0.01;
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 2;
    private static final int WARMUPS = 2;
    private static final int COMPILING_ROUNDS = 3;
    private static final double BAR_WARM = 5;
    private static final double BAR_MOVED = 4;
    private static final double BAR_SECOND = 0.95;
    private static final String SCHEMA = "ssb";
    private static final String SMALL = "ssb_small";
    private static final String EMPTY = "ssb_empty";
    private static final List<String> MOVED = List.of("2.1", "3.1", "4.1");
    private static final LocalDate FIRST_DAY = LocalDate.of(1993, 3, 10);

    @Override
    public String name()
    {
        return "ssb";
    }

    @Override
    public String question()
    {
        return "The star schema benchmark's 13 queries at scale 1 (quick: 0.1), ORC, lineorder partitioned by month, with statistics. second-run-time: the second run after all of Eyrie's entries "
                + "were invalidated. warm-time: after " + WARMUPS
                + " runs. window-moved-time: flights 2, 3 and 4 over a year of orders that begins a day later each time. dimension-changed-time: the first run after "
                + "rows were inserted into supplier.";
    }

    @Override
    public List<String> cells(boolean quick)
    {
        return quick ? List.of("near") : List.of("near", "far");
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public void measure(String cell, Setup setup, Findings findings)
    {
        try (Lake lake = PeerLake.builder(setup.checkout(), "report-" + name(), setup.progress()).start()) {
            Ssb.createTables(lake, SCHEMA, setup.quick() ? QUICK_SCALE : SCALE, true);
            Ssb.createTables(lake, SMALL, SMALL_SCALE, true);
            Ssb.createTables(lake, EMPTY, SMALL_SCALE, false);
            setup.progress().accept("tables made");
            Run run = new Run(lake, cell, setup, findings);
            run.compile();
            lake.link().reshape(cell.equals("far") ? LinkShape.FAR : LinkShape.STANDARD);
            run.second();
            run.warm();
            run.moved();
            run.changed();
        }
        judge(cell, findings);
    }

    static void judge(String cell, Findings findings)
    {
        String vanilla = Variant.VANILLA.peerName();
        String raptorx = Variant.RAPTORX.peerName();
        findings.addMeans(cell, Ssb.NAMES.stream().map(query -> row(cell, query)).toList(), List.of("second-run-time", "warm-time",
                "dimension-changed-time"));
        for (String query : Ssb.NAMES) {
            String row = row(cell, query);
            findings.compare(row, "second-run-time", vanilla, null);
            List.of(vanilla, raptorx, Variant.FLOOR.peerName()).forEach(peer -> findings.compare(row, "warm-time", peer, null));
            List.of(vanilla, raptorx).forEach(peer -> findings.compare(row, "dimension-changed-time", peer, null));
        }
        for (String query : MOVED) {
            findings.compare(row(cell, query), "window-moved-time", vanilla, null);
            findings.compare(row(cell, query), "window-moved-time", raptorx, cell.equals("near") ? BAR_MOVED : null);
        }
        String means = cell + Findings.MEAN;
        findings.compare(means, "second-run-time", vanilla, BAR_SECOND);
        findings.compare(means, "warm-time", vanilla, null);
        findings.compare(means, "warm-time", raptorx, cell.equals("near") ? BAR_WARM : null);
        findings.compare(means, "warm-time", Variant.FLOOR.peerName(), null);
        List.of(vanilla, raptorx).forEach(peer -> findings.compare(means, "dimension-changed-time", peer, null));
    }

    private static String row(String cell, String query)
    {
        return cell + "-q" + query;
    }

    /** The runs on one cluster. */
    private record Run(Lake lake, String cell, Setup setup, Findings findings)
    {
        private Run
        {
            requireNonNull(lake, "lake is null");
            requireNonNull(cell, "cell is null");
            requireNonNull(setup, "setup is null");
            requireNonNull(findings, "findings is null");
        }

        private void compile()
        {
            for (int round = 0; round < COMPILING_ROUNDS; round++) {
                for (String query : Ssb.NAMES) {
                    for (Variant variant : List.of(Variant.OURS, Variant.VANILLA, Variant.RAPTORX)) {
                        PeerLake.client(lake, variant, SMALL).execute(Ssb.sql(query));
                    }
                }
            }
        }

        private void second()
        {
            for (int repeat = 0; repeat < Math.min(2, setup.repeats()); repeat++) {
                for (String query : Ssb.NAMES) {
                    lake.client(SCHEMA).execute("CALL system.invalidate_cache()");
                    client(Variant.OURS).execute(Ssb.sql(query));
                    QueryResult vanilla = time(Variant.VANILLA, query, Ssb.sql(query), "second-run-time");
                    Rows.assertSameRows(time(Variant.OURS, query, Ssb.sql(query), "second-run-time"), vanilla);
                }
            }
        }

        private void warm()
        {
            Map<String, PrestoClient> clients = new LinkedHashMap<>();
            for (Variant variant : Variant.values()) {
                clients.put(variant.peerName(), client(variant));
            }
            Turns turns = new Turns(findings, WARMUPS, setup.repeats());
            Ssb.NAMES.forEach(query -> turns.measure(row(cell, query), Ssb.sql(query), clients));
        }

        private void moved()
        {
            for (String query : MOVED) {
                for (int day = -WARMUPS; day < setup.repeats(); day++) {
                    String sql = Ssb.sql(query, FIRST_DAY.plusDays(day));
                    QueryResult expected = client(Variant.VANILLA).execute(sql);
                    for (Variant variant : List.of(Variant.VANILLA, Variant.RAPTORX, Variant.OURS)) {
                        if (day >= 0) {
                            Rows.assertSameRows(time(variant, query, sql, "window-moved-time"), expected);
                        }
                        else {
                            Rows.assertSameRows(client(variant).execute(sql), expected);
                        }
                    }
                }
            }
        }

        private void changed()
        {
            lake.client(SCHEMA).execute(
                    "INSERT INTO supplier SELECT min(s_suppkey), min(s_name), min(s_city), s_nation, s_region FROM supplier GROUP BY s_nation, s_region");
            int stale = 0;
            for (String query : Ssb.NAMES) {
                QueryResult vanilla = time(Variant.VANILLA, query, Ssb.sql(query), "dimension-changed-time");
                Rows.assertSameRows(time(Variant.OURS, query, Ssb.sql(query), "dimension-changed-time"), vanilla);
                stale += time(Variant.RAPTORX, query, Ssb.sql(query), "dimension-changed-time").checksum().equals(vanilla.checksum()) ? 0 : 1;
            }
            if (stale > 0) {
                findings.note("dimension-changed-time: raptorx returned different rows than vanilla for " + stale + " of " + Ssb.NAMES.size()
                        + " queries");
            }
        }

        private QueryResult time(Variant variant, String query, String sql, String metric)
        {
            PrestoClient client = client(variant);
            return findings.time(row(cell, query), metric, variant.peerName(), client.execute(sql), client);
        }

        private PrestoClient client(Variant variant)
        {
            return PeerLake.client(lake, variant, variant == Variant.FLOOR ? EMPTY : SCHEMA);
        }
    }
}
