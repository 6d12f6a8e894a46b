// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import static io.eyrie.benchmarks.report.Findings.OURS;

/**
 * RaptorX's example of fragment results: a sum over days whose window moves by a day, and one over the last days, whose predicate changes with each
 * query.
 */
final class SlidingWindowExperiment
        implements Experiment
{
    /*
     * Table   One file per day of lineitem's rows. "time" is spread over the day except for four hours, in UTC; the last day is today.
     * Moved   Each repeat queries a month, one day later than the repeat before: the results of all days but one are cached. The floor is the same
     *         query over empty partitions.
     * Now     The last month, restricted to rows younger than three days: the restriction cuts one day; earlier days contribute no rows, later days
     *         all. now() differs in each query.
     */
    private static final int REPEATS = 7;
    private static final int QUICK_REPEATS = 3;
    private static final int WINDOW = 30;
    private static final int ROWS_A_DAY = 1_300_000;
    private static final int QUICK_ROWS_A_DAY = 50_000;
    private static final int WARMUPS = 8;
    private static final double BAR = 5;
    private static final String SCHEMA = "sliding";
    private static final String EMPTY = "sliding_empty";
    private static final String RAPTORX_DEFAULTS = "raptorx-defaults";
    private static final String SUMS = "SELECT sum(v), sum(price), count(*) FROM days WHERE ds BETWEEN '%s' AND '%s'";

    @Override
    public String name()
    {
        return "sliding-window";
    }

    @Override
    public String question()
    {
        return "RaptorX: sums over " + WINDOW + " days of " + ROWS_A_DAY + " rows (quick: " + QUICK_ROWS_A_DAY
                + "), near. sum: the window moves by a day each time, so that one split is new. sum-now: "
                + "ds BETWEEN … AND time > now() - INTERVAL '3' DAY, another predicate each time. raptorx-defaults: raptorx with the engine's fragment cache off, as it is by default. "
                + "splits-computed: splits that were not served from a cached result.";
    }

    @Override
    public List<String> cells(boolean quick)
    {
        return List.of("orc", "parquet");
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public void measure(String cell, Setup setup, Findings findings)
    {
        int days = WARMUPS + setup.repeats() + WINDOW;
        LocalDate last = LocalDate.now(ZoneOffset.UTC);
        try (Lake lake = PeerLake.builder(setup.checkout(), "report-" + name(), setup.progress()).start()) {
            createTable(lake, cell, days, last, setup.quick() ? QUICK_ROWS_A_DAY : ROWS_A_DAY);
            lake.link().reshape(LinkShape.STANDARD);
            String moved = "sum-" + cell;
            String now = "sum-now-" + cell;
            for (int window = 0; window < days - WINDOW; window++) {
                LocalDate first = last.minusDays(days - 1L - window);
                boolean counts = window >= WARMUPS;
                ask(lake, findings, moved, counts, String.format(Locale.ROOT, SUMS, first, first.plusDays(WINDOW - 1L)), window);
                String young = String.format(Locale.ROOT, SUMS, last.minusDays(WINDOW - 1L), last) + " AND time > now() - INTERVAL '3' DAY";
                ask(lake, findings, now, counts, young, window);
            }
            if (cell.equals("orc")) {
                findings.note(
                        "Presto's ORC writer stores no minimum and maximum of timestamps, so no footer proves a predicate on one. In sum-now-orc, the peers compute all days; ours reads the column of each day once, in the first query that includes that day.");
            }
            for (String row : List.of(moved, now)) {
                findings.compare(row, "warm-time", RAPTORX_DEFAULTS, BAR);
                findings.compare(row, "warm-time", Variant.RAPTORX.peerName(), null);
                findings.compare(row, "warm-time", Variant.VANILLA.peerName(), null);
                findings.compare(row, "warm-time", Variant.FLOOR.peerName(), null);
                List<Double> computed = findings.samples(row, "splits-computed").of(OURS);
                Question question = new Question(row, "splits-computed", "1", "ideal");
                BenchResult result = BenchResult.cost(question, computed, Collections.nCopies(computed.size(), 1.0), null);
                findings.add(result.withBarOfOurs(1.0, false));
            }
        }
    }

    private static void createTable(Lake lake, String format, int days, LocalDate last, int rowsADay)
    {
        PrestoClient client = lake.uncachedClient(SCHEMA)
                .withSession("task_writer_count", "1")
                // the other writer writes timestamps without statistics
                .withSession(Lake.CATALOG + ".parquet_optimized_writer_enabled", "true");
        for (String schema : List.of(SCHEMA, EMPTY)) {
            client.execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
            lake.createTable(schema, "days", "v bigint, price double, time timestamp, ds varchar", "format = '" + format.toUpperCase(
                    Locale.ROOT)
                    + "', partitioned_by = ARRAY['ds']");
        }
        for (int day = 0; day < days; day++) {
            LocalDate date = last.minusDays(day);
            // the directory must exist
            lake.s3().client().put(Lake.BUCKET, EMPTY + "/days/ds=" + date + "/_location", new byte[0]);
            client.execute("CALL " + Lake.CATALOG + ".system.create_empty_partition('" + EMPTY + "', 'days', ARRAY['ds'], ARRAY['" + date + "'])");
        }
        // one day after the other: with all days at once, Presto's Parquet writer goes through all of its buffers at each of many small pages
        // no row is within two hours of now() - INTERVAL '3' DAY, so that consecutive queries have the same answer
        int free = LocalTime.now(ZoneOffset.UTC).toSecondOfDay() + 7200;
        client.execute("INSERT INTO days SELECT v, price, date_add('second', (" + free
                + " + v % 72000) % 86400, CAST(day AS timestamp)), CAST(day AS varchar) FROM ("
                + "SELECT l_orderkey AS v, l_extendedprice AS price, date_add('day', -((row_number() OVER () - 1) / " + rowsADay
                + "), DATE '" + last
                + "') AS day FROM tpch.sf10.lineitem LIMIT " + (long) rowsADay * days + ")");
    }

    private static void ask(Lake lake, Findings findings, String row, boolean counts, String sql, int turn)
    {
        PrestoClient raptorx = PeerLake.client(lake, Variant.RAPTORX, SCHEMA);
        Map<String, PrestoClient> clients = Map.of(
                OURS, PeerLake.client(lake, Variant.OURS, SCHEMA),
                Variant.FLOOR.peerName(), PeerLake.client(lake, Variant.FLOOR, EMPTY),
                Variant.RAPTORX.peerName(), raptorx,
                RAPTORX_DEFAULTS, raptorx.withSession("fragment_result_caching_enabled", "false"));
        PrestoClient vanilla = PeerLake.client(lake, Variant.VANILLA, SCHEMA);
        QueryResult expected = vanilla.execute(sql);
        if (counts) {
            findings.time(row, "warm-time", Variant.VANILLA.peerName(), expected, vanilla);
        }
        List<Map.Entry<String, PrestoClient>> order = new ArrayList<>(new TreeMap<>(clients).entrySet());
        Collections.rotate(order, turn);
        for (Map.Entry<String, PrestoClient> client : order) {
            String variant = client.getKey();
            QueryResult result = client.getValue().execute(sql);
            if (!variant.equals(Variant.FLOOR.peerName())) {
                Rows.assertSameRows(result, expected);
            }
            if (counts) {
                findings.time(row, "warm-time", variant, result, client.getValue());
                if (variant.equals(OURS)) {
                    double missed = lake.client(SCHEMA).statistics(result).metric("eyrieFragmentMisses").sum();
                    findings.add(row, "splits-computed", "1", OURS, missed);
                }
            }
        }
    }
}
