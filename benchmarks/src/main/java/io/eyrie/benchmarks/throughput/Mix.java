// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.benchmarks.peers.Ssb;
import io.eyrie.testing.tpch.TpchQueries;

import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/** The queries of one client, from a seed. Not thread-safe. */
final class Mix
{
    /*
     * Dashboards    Seven queries of TPC-H and ten of the star schema benchmark. Each client's calendar moves on by a day after a number of them, and so
     *               do all their dates; clients are on the same or nearly the same day.
     * Drill-downs   Four queries about orders of some months: three grouping keys, then two of them, then the same two for one value of the third, then
     *               one.
     * Ad hoc        An aggregation under two filters whose bounds are random.
     */
    private static final double DASHBOARDS = 0.6;
    private static final double DRILL_DOWNS = 0.25;
    private static final int DASHBOARDS_A_DAY = 8;
    private static final int DAYS = 200;
    private static final List<Integer> TPCH = List.of(3, 4, 5, 6, 10, 12, 14);
    private static final List<String> SSB = Ssb.NAMES.subList(3, Ssb.NAMES.size());
    private static final Pattern DATE = Pattern.compile("DATE '([^']+)'");
    private static final LocalDate FIRST_DAY = LocalDate.of(1994, 1, 5);
    private static final Map<String, List<String>> KEYS = Map.of(
            "lo_shipmode", List.of("'AIR'", "'RAIL'", "'SHIP'", "'TRUCK'"),
            "lo_orderpriority", List.of("'1-URGENT'", "'2-HIGH'", "'5-LOW'"),
            "lo_discount", List.of("0", "4", "9"));
    private static final List<String> MEASURES = List.of("sum(lo_revenue)", "sum(lo_extendedprice)", "min(lo_supplycost)", "max(lo_revenue)");
    private static final int MOST_CENTS = 10_000_000;

    private final Random random;
    private final Deque<Question> drill = new ArrayDeque<>();
    private int dashboards;

    Mix(long seed)
    {
        random = new Random(seed);
    }

    /** Why a query is asked. */
    enum Kind
    {
        DASHBOARD, DRILL_DOWN, AD_HOC;

        /** Returns the words in names of rows. */
        String plural()
        {
            return name().toLowerCase(Locale.ROOT).replace('_', '-') + (this == AD_HOC ? "" : "s");
        }
    }

    /** The tables of a query. */
    enum Tables
    {
        TPCH, SSB;

        String schema()
        {
            return "throughput_" + name().toLowerCase(Locale.ROOT);
        }
    }

    /** A query; its answer does not depend on the partitions that the writer adds. */
    record Question(Kind kind, Tables tables, String sql)
    {
        Question
        {
            requireNonNull(kind, "kind is null");
            requireNonNull(tables, "tables is null");
            requireNonNull(sql, "sql is null");
        }
    }

    Question next()
    {
        double dice = random.nextDouble();
        return dice < DASHBOARDS ? dashboard() : dice < DASHBOARDS + DRILL_DOWNS ? drillDown() : adHoc();
    }

    Question drillDown()
    {
        if (drill.isEmpty()) {
            List<String> keys = new ArrayList<>(KEYS.keySet());
            Collections.sort(keys);
            Collections.shuffle(keys, random);
            String measures = String.join(", ", MEASURES.subList(0, 1 + random.nextInt(MEASURES.size()))) + ", count(*)";
            List<String> values = requireNonNull(KEYS.get(keys.get(2)), "no values");
            String months = "lo_month BETWEEN " + month() + " AND '1998-06'";
            String one = " AND " + keys.get(2) + " = " + values.get(random.nextInt(values.size()));
            add(measures, months, keys);
            add(measures, months, keys.subList(0, 2));
            add(measures, months + one, keys.subList(0, 2));
            add(measures, months + one, keys.subList(0, 1));
        }
        return drill.remove();
    }

    private void add(String measures, String where, List<String> keys)
    {
        String grouped = String.join(", ", keys);
        drill.add(new Question(Kind.DRILL_DOWN, Tables.SSB, "SELECT " + grouped + ", " + measures + " FROM lineorder WHERE " + where + " GROUP BY "
                + grouped));
    }

    private Question dashboard()
    {
        int day = dashboards++ / DASHBOARDS_A_DAY % DAYS;
        int which = random.nextInt(TPCH.size() + SSB.size());
        return which < TPCH.size()
                ? new Question(Kind.DASHBOARD, Tables.TPCH, later(TpchQueries.sql(TPCH.get(which)), day))
                : new Question(Kind.DASHBOARD, Tables.SSB, Ssb.sql(SSB.get(which - TPCH.size()), FIRST_DAY.plusDays(day)));
    }

    private static String later(String sql, int days)
    {
        return DATE.matcher(sql).replaceAll(date -> "DATE '" + LocalDate.parse(date.group(1)).plusDays(days) + "'");
    }

    private Question adHoc()
    {
        int least = random.nextInt(MOST_CENTS);
        return new Question(Kind.AD_HOC, Tables.SSB,
                "SELECT lo_shipmode, avg(lo_quantity), sum(lo_revenue), count(*) FROM lineorder WHERE lo_month BETWEEN " + month()
                        + " AND '1998-06' AND lo_extendedprice BETWEEN " + least + " AND " + (least + random.nextInt(MOST_CENTS))
                        + " AND lo_suppkey % 100 < "
                        + (1 + random.nextInt(100)) + " GROUP BY lo_shipmode");
    }

    private String month()
    {
        return String.format(Locale.ROOT, "'%d-%02d'", 1992 + random.nextInt(6), 1 + random.nextInt(12));
    }
}
