// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.benchmarks.replay.SparksTpcds;
import io.eyrie.benchmarks.replay.TpcdsTables;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/** The queries of TPC-DS, cold and warm. */
final class TpcdsExperiment
        implements Experiment
{
    /*
     * Queries   Those of the standard, as two if they have two parts. Their text orders rows that tie at a LIMIT. A query that fails in Presto's own
     *           connector is noted and left out, and so is one that takes it over MOST_TIME: at scale 1, q72 takes three minutes and would be
     *           most of the measurement. If a query fails with Eyrie alone, the measurement ends.
     * Repeats   Fewer than those of other experiments: a hundred queries take about an hour and a half with these (an estimate), an hour more with five.
     * Cold      All of Eyrie's entries are invalidated before each query; vanilla caches nothing.
     */
    private static final double SCALE = 1;
    private static final double QUICK_SCALE = 0.1;
    private static final double SMALL_SCALE = 0.01;
    private static final int REPEATS = 3;
    private static final int QUICK_REPEATS = 2;
    private static final int COLD_REPEATS = 2;
    private static final Duration MOST_TIME = Duration.ofSeconds(60);
    private static final int WARMUPS = 2;
    private static final int COMPILING_ROUNDS = 2;
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
        return "The queries of TPC-DS, at scale 1 (quick: 0.1). cold-time: all of Eyrie's entries are invalidated before each query. warm-time: after "
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
        try (Lake lake = PeerLake.builder(setup.checkout(), "report-" + name(), setup.progress()).start()) {
            TpcdsTables.create(lake, SCHEMA, setup.quick() ? QUICK_SCALE : SCALE, FORMAT);
            TpcdsTables.create(lake, SMALL, SMALL_SCALE, FORMAT);
            TpcdsTables.createEmpty(lake, EMPTY, FORMAT);
            setup.progress().accept("tables made");
            Map<String, PrestoClient> clients = new LinkedHashMap<>();
            for (Variant variant : Variant.values()) {
                clients.put(variant.peerName(), PeerLake.client(lake, variant, variant == Variant.FLOOR ? EMPTY : SCHEMA));
            }
            PrestoClient vanilla = requireNonNull(clients.get(Variant.VANILLA.peerName()), "no client");
            PrestoClient ours = requireNonNull(clients.get(Variant.OURS.peerName()), "no client");
            Map<String, String> queries = queries(vanilla, findings);
            PrestoClient floor = requireNonNull(clients.get(Variant.FLOOR.peerName()), "no client");
            Map<String, PrestoClient> withoutFloor = new LinkedHashMap<>(clients);
            withoutFloor.remove(Variant.FLOOR.peerName());
            // found before the measurement, which takes hours
            List<String> floorless = queries.entrySet().stream().filter(query -> !runs(floor, query.getValue())).map(Map.Entry::getKey).toList();
            floorless.forEach(query -> findings.note(query + " has no floor, because it fails over tables without rows"));
            for (int round = 0; round < COMPILING_ROUNDS; round++) {
                for (Variant variant : List.of(Variant.OURS, Variant.VANILLA, Variant.RAPTORX)) {
                    PrestoClient small = PeerLake.client(lake, variant, SMALL);
                    // some queries divide by sums that are zero if there are few rows
                    queries.values().forEach(sql -> runs(small, sql));
                }
            }
            lake.link().reshape(LinkShape.STANDARD);
            setup.progress().accept(queries.size() + " queries compiled");
            queries.forEach((query, sql) -> {
                for (int repeat = 0; repeat < Math.min(COLD_REPEATS, setup.repeats()); repeat++) {
                    QueryResult expected = findings.time(row(cell, query), "cold-time", Variant.VANILLA.peerName(), vanilla.execute(sql), vanilla);
                    ours.execute("CALL system.invalidate_cache()");
                    Rows.assertSameRows(findings.time(row(cell, query), "cold-time", Variant.OURS.peerName(), ours.execute(sql), ours), expected);
                }
            });
            setup.progress().accept("cold queries measured");
            Turns turns = new Turns(findings, WARMUPS, setup.repeats());
            queries.forEach((query, sql) -> turns.measure(row(cell, query), sql, floorless.contains(query) ? withoutFloor : clients));
            judge(cell, queries.keySet(), findings);
        }
    }

    /* The queries that do not fail, by name. */
    private static Map<String, String> queries(PrestoClient client, Findings findings)
    {
        Map<String, String> queries = new LinkedHashMap<>();
        for (String query : SparksTpcds.names()) {
            String sql = SparksTpcds.sql(query);
            try {
                QueryResult result = client.execute(sql);
                if (result.wallTime().compareTo(MOST_TIME) > 0) {
                    findings.note(query + " is left out, because it takes Presto's own connector " + result.wallTime().toSeconds()
                            + " s without a link");
                }
                else {
                    queries.put(query, SparksTpcds.withoutTies(sql, result.columns().size()));
                }
            }
            catch (QueryFailedException e) {
                findings.note(query + " is left out, because Presto's own connector fails: " + String.valueOf(e.getMessage()).lines().findFirst()
                        .orElseThrow());
            }
        }
        return queries;
    }

    private static boolean runs(PrestoClient client, String sql)
    {
        try {
            client.execute(sql);
            return true;
        }
        catch (QueryFailedException e) {
            return false;
        }
    }

    static void judge(String cell, Collection<String> queries, Findings findings)
    {
        String vanilla = Variant.VANILLA.peerName();
        String raptorx = Variant.RAPTORX.peerName();
        List<String> rows = queries.stream().map(query -> row(cell, query)).toList();
        findings.addMeans(cell, rows, List.of("cold-time", "warm-time"));
        for (String row : rows) {
            findings.compare(row, "cold-time", vanilla, null);
            findings.compare(row, "warm-time", vanilla, null);
            findings.compareSurely(row, "warm-time", raptorx, BAR_NO_SLOWER);
            if (findings.samples(row, "warm-time").values().containsKey(Variant.FLOOR.peerName())) {
                findings.compare(row, "warm-time", Variant.FLOOR.peerName(), null);
            }
        }
        String means = cell + Findings.MEAN;
        findings.compare(means, "cold-time", vanilla, BAR_COLD);
        findings.compare(means, "warm-time", vanilla, null);
        findings.compare(means, "warm-time", raptorx, BAR_WARM);
    }

    private static String row(String cell, String query)
    {
        return cell + "-" + query;
    }
}
