// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cli.console.TextTable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The measurements of the demo. Its JSON has the same structure.
 *
 * @param scale TPC-H's scale factor
 * @param warmRuns the number of runs that each warm row summarizes
 * @param queries for each query one row off, one cold and one warm, in the order of the runs
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record DemoReport(double scale, int warmRuns, DemoLink link, List<QueryRun> queries)
{
    private static final int RUNS_A_DAY = 1000;
    private static final int DAYS_A_MONTH = 30;

    public DemoReport
    {
        queries = List.copyOf(queries);
    }

    /** Returns one screen: a row for each query, a line of totals, and an explanation of the terms. */
    public String screen()
    {
        TextTable table = new TextTable(1, "query", "no cache", "cold", "warm", "cold", "warm", "S3 requests", "warm", "S3 bytes", "warm");
        List<QueryRun> off = rows(RunMode.OFF);
        List<QueryRun> cold = rows(RunMode.COLD);
        List<QueryRun> warm = rows(RunMode.WARM);
        for (int i = 0; i < off.size(); i++) {
            QueryRun without = off.get(i);
            QueryRun with = warm.get(i);
            table.row(
                    without.query(),
                    seconds(without.seconds()),
                    seconds(cold.get(i).seconds()),
                    seconds(with.seconds()),
                    speedUp(without.seconds(), cold.get(i).seconds()),
                    speedUp(without.seconds(), with.seconds()),
                    count(without.s3Requests()),
                    count(with.s3Requests()),
                    bytes(without.s3DataBytes()),
                    bytes(with.s3DataBytes()));
        }
        return String.join(System.lineSeparator(), table.render(), "", total(off, cold, warm), "", foot());
    }

    private String total(List<QueryRun> off, List<QueryRun> cold, List<QueryRun> warm)
    {
        ListPrice price = ListPrice.of(link);
        double saved = price.of(off) - price.of(warm);
        return String.format(
                Locale.ROOT,
                "All %s: %s without cache, %s cold (%s), %s warm: %s faster. Warm, S3 gets %s requests instead of %s and sends %s instead of %s. "
                        + "That saves $%.4f, or $%,.0f a month for %,d such runs a day.",
                off.size() + " queries",
                seconds(sum(off)),
                seconds(sum(cold)),
                speedUp(sum(off), sum(cold)),
                seconds(sum(warm)),
                speedUp(sum(off), sum(warm)),
                count(warm.stream().mapToLong(QueryRun::s3Requests).sum()),
                count(off.stream().mapToLong(QueryRun::s3Requests).sum()),
                bytes(warm.stream().mapToLong(QueryRun::s3DataBytes).sum()),
                bytes(off.stream().mapToLong(QueryRun::s3DataBytes).sum()),
                saved,
                saved * RUNS_A_DAY * DAYS_A_MONTH,
                RUNS_A_DAY);
    }

    private String foot()
    {
        return String.format(
                Locale.ROOT,
                """
                        TPC-H at scale %s in ORC, lineitem and orders partitioned by month; a coordinator and a worker; %s.
                        no cache: Presto's own Hive connector. cold: all layers are empty before each query. warm: the median of %s runs, their most
                        requests and bytes. S3 requests are of all kinds, S3 bytes are content of the tables' files. The answers of all runs are the same.
                        %s""",
                new BigDecimal(Double.toString(scale)).stripTrailingZeros().toPlainString(),
                link.description(),
                warmRuns,
                ListPrice.of(link).statement());
    }

    private List<QueryRun> rows(RunMode mode)
    {
        return queries.stream().filter(row -> row.run() == mode).toList();
    }

    private static double sum(List<QueryRun> rows)
    {
        return rows.stream().mapToDouble(QueryRun::seconds).sum();
    }

    private static String seconds(double seconds)
    {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }

    private static String speedUp(double offSeconds, double seconds)
    {
        return String.format(Locale.ROOT, "%.1fx", offSeconds / seconds);
    }

    private static String count(long count)
    {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private static String bytes(long bytes)
    {
        List<String> units = new ArrayList<>(List.of("B", "kB", "MB", "GB", "TB"));
        double value = bytes;
        while (value >= 999.95 && units.size() > 1) {
            value /= 1000;
            units.remove(0);
        }
        return bytes < 1000 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, units.get(0));
    }
}
