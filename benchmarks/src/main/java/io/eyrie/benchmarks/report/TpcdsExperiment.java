// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.benchmarks.replay.TpcdsTables;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/** Queries of TPC-DS, cold and warm. */
final class TpcdsExperiment
        implements Experiment
{
    /*
     * Cold   All of Eyrie's entries are invalidated before each query; vanilla caches nothing.
     */
    private static final double SCALE = 1;
    private static final double QUICK_SCALE = 0.1;
    private static final double SMALL_SCALE = 0.01;
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 2;
    private static final int COLD_REPEATS = 3;
    private static final int WARMUPS = 2;
    private static final int COMPILING_ROUNDS = 3;
    private static final double BAR_WARM = 1.5;
    private static final double BAR_COLD = 0.95;
    private static final double BAR_NO_SLOWER = 0.95;
    private static final String FORMAT = "ORC";
    private static final String SCHEMA = "tpcds";
    private static final String SMALL = "tpcds_small";
    private static final String EMPTY = "tpcds_empty";

    @Override
    public String name()
    {
        return "tpcds";
    }

    @Override
    public String question()
    {
        return "Queries of TPC-DS on all of its channels, at scale 1 (quick: 0.1). cold-time: all of Eyrie's entries are invalidated before each query. warm-time: after "
                + WARMUPS + " runs.";
    }

    @Override
    public List<String> cells(boolean quick)
    {
        return List.of("near-orc");
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public void measure(String cell, Setup setup, Findings findings)
    {
        List<String> queries = TpcdsTables.queries();
        try (Lake lake = PeerLake.builder(setup.checkout(), "report-" + name(), setup.progress()).start()) {
            TpcdsTables.create(lake, SCHEMA, setup.quick() ? QUICK_SCALE : SCALE, FORMAT);
            TpcdsTables.create(lake, SMALL, SMALL_SCALE, FORMAT);
            TpcdsTables.createEmpty(lake, EMPTY, FORMAT);
            setup.progress().accept("tables made");
            Map<String, PrestoClient> clients = new LinkedHashMap<>();
            for (Variant variant : Variant.values()) {
                clients.put(variant.peerName(), PeerLake.client(lake, variant, variant == Variant.FLOOR ? EMPTY : SCHEMA));
            }
            for (int round = 0; round < COMPILING_ROUNDS; round++) {
                for (Variant variant : List.of(Variant.OURS, Variant.VANILLA, Variant.RAPTORX)) {
                    queries.forEach(PeerLake.client(lake, variant, SMALL)::execute);
                }
            }
            lake.link().reshape(LinkShape.STANDARD);
            for (int query = 1; query <= queries.size(); query++) {
                for (int repeat = 0; repeat < Math.min(COLD_REPEATS, setup.repeats()); repeat++) {
                    QueryResult vanilla = cold(findings, row(cell, query), Variant.VANILLA, clients, queries.get(query - 1));
                    lake.client(SCHEMA).execute("CALL system.invalidate_cache()");
                    Rows.assertSameRows(cold(findings, row(cell, query), Variant.OURS, clients, queries.get(query - 1)), vanilla);
                }
            }
            Turns turns = new Turns(findings, WARMUPS, setup.repeats());
            for (int query = 1; query <= queries.size(); query++) {
                turns.measure(row(cell, query), queries.get(query - 1), clients);
            }
        }
        judge(cell, queries.size(), findings);
    }

    static void judge(String cell, int queries, Findings findings)
    {
        String vanilla = Variant.VANILLA.peerName();
        String raptorx = Variant.RAPTORX.peerName();
        List<String> rows = IntStream.rangeClosed(1, queries).mapToObj(query -> row(cell, query)).toList();
        findings.addMeans(cell, rows, List.of("cold-time", "warm-time"));
        for (String row : rows) {
            findings.compare(row, "cold-time", vanilla, null);
            findings.compare(row, "warm-time", vanilla, null);
            findings.compareSurely(row, "warm-time", raptorx, BAR_NO_SLOWER);
            findings.compare(row, "warm-time", Variant.FLOOR.peerName(), null);
        }
        String means = cell + Findings.MEAN;
        findings.compare(means, "cold-time", vanilla, BAR_COLD);
        findings.compare(means, "warm-time", vanilla, null);
        findings.compare(means, "warm-time", raptorx, BAR_WARM);
    }

    private static QueryResult cold(Findings findings, String row, Variant variant, Map<String, PrestoClient> clients, String sql)
    {
        PrestoClient client = requireNonNull(clients.get(variant.peerName()), "no client");
        return findings.time(row, "cold-time", variant.peerName(), client.execute(sql), client);
    }

    private static String row(String cell, int query)
    {
        return cell + "-q" + query;
    }
}
