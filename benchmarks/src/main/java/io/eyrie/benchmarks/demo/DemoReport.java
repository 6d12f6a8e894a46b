// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

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
public record DemoReport(double scale, int workers, int warmRuns, Link link, List<QueryRun> queries)
{
    public DemoReport
    {
        queries = List.copyOf(queries);
    }

    /** The link in front of S3: the delay of each request and the bandwidth of one connection. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Link(long millisPerRequest, long bytesPerSecond)
    {}

    /** Returns the rows as a table with totals, followed by an explanation of its terms. */
    public String table()
    {
        TextTable table = new TextTable(2, "query", "run", "seconds", "S3 requests", "S3 bytes", "hit ratio", "speed-up");
        double offSeconds = Double.NaN;
        for (QueryRun row : queries) {
            boolean off = row.run() == RunMode.OFF;
            if (off) {
                offSeconds = row.seconds();
            }
            table.row(
                    off ? row.query() : "",
                    row.run().word(),
                    seconds(row.seconds()),
                    Long.toString(row.s3Requests()),
                    bytes(row.s3DataBytes()),
                    off || row.hitRatio() == null ? "-" : String.format(Locale.ROOT, "%.1f %%", row.hitRatio() * 100),
                    off ? "" : speedUp(offSeconds, row.seconds()));
        }
        table.rule();
        double allOff = total(RunMode.OFF);
        for (RunMode mode : RunMode.values()) {
            List<QueryRun> rows = rows(mode);
            table.row(
                    mode == RunMode.OFF ? "all" : "",
                    mode.word(),
                    seconds(total(mode)),
                    Long.toString(rows.stream().mapToLong(QueryRun::s3Requests).sum()),
                    bytes(rows.stream().mapToLong(QueryRun::s3DataBytes).sum()),
                    "",
                    mode == RunMode.OFF ? "" : speedUp(allOff, total(mode)));
        }
        return String.join(System.lineSeparator(), table.render(), "", foot());
    }

    private String foot()
    {
        return String.format(
                Locale.ROOT,
                """
                        TPC-H at scale %s in ORC, %s workers; S3 behind a link of %s ms a request and %s/s a connection.
                        off   the session turns the cache off. Every query ran once before, unmeasured, so that no run pays for a young JVM.
                        cold  the first run with the cache, which was empty before the first query. The queries share tables: a later one
                              finds what an earlier one has read, as its hit ratio shows.
                        warm  of %s runs: the median of the seconds, the most requests and bytes, the least hit ratio.
                        S3 requests are of all kinds, S3 bytes are content of the tables' files. The hit ratio is the query's own statistic:
                        bytes read from the cache / all bytes read. The answers of all runs are the same.""",
                new BigDecimal(Double.toString(scale)).stripTrailingZeros().toPlainString(),
                workers,
                link.millisPerRequest(),
                bytes(link.bytesPerSecond()),
                warmRuns);
    }

    private List<QueryRun> rows(RunMode mode)
    {
        return queries.stream().filter(row -> row.run() == mode).toList();
    }

    private double total(RunMode mode)
    {
        return rows(mode).stream().mapToDouble(QueryRun::seconds).sum();
    }

    private static String seconds(double seconds)
    {
        return String.format(Locale.ROOT, "%.2f", seconds);
    }

    private static String speedUp(double offSeconds, double seconds)
    {
        return String.format(Locale.ROOT, "%.1fx", offSeconds / seconds);
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
