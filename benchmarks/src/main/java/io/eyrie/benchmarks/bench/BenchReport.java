// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cli.console.TextTable;

import java.util.List;
import java.util.Locale;

/**
 * The results of a benchmark and their origin. Its JSON has the same structure.
 *
 * @param commit the checkout's commit, empty if unknown
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record BenchReport(String benchmark, boolean quick, int repeats, String commit, Machine machine, List<BenchResult> results)
{
    /** The system property that names the checkout's commit. */
    private static final String COMMIT_PROPERTY = "eyrie.commit";

    public BenchReport
    {
        results = List.copyOf(results);
    }

    /** Creates a report of results just measured on this machine and commit. */
    public static BenchReport of(String benchmark, boolean quick, int repeats, List<BenchResult> results)
    {
        return new BenchReport(benchmark, quick, repeats, System.getProperty(COMMIT_PROPERTY, ""), Machine.current(), results);
    }

    /** The machine and JVM of the measurements. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Machine(String os, String jdk, int processors)
    {
        static Machine current()
        {
            return new Machine(
                    System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch"),
                    System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                    Runtime.getRuntime().availableProcessors());
        }
    }

    /** Returns the results as a table, one per line, followed by an explanation of its columns. */
    public String table()
    {
        TextTable table = new TextTable(3, "name", "metric", "unit", "ours", "peer", "", "ratio", "spread", "bar", "holds");
        for (BenchResult result : results) {
            table.row(
                    result.name(),
                    result.metric(),
                    result.unit(),
                    number(result.ours()),
                    result.peerName(),
                    number(result.peer()),
                    number(result.ratio()),
                    number(result.spread().get(0)) + " to " + number(result.spread().get(1)),
                    result.bar() == null ? "-" : number(result.bar()),
                    result.holds() == null ? "-" : result.holds() ? "yes" : "NO");
        }
        return String.join(
                System.lineSeparator(),
                table.render(),
                "",
                benchmark + ", " + repeats + (quick ? " repeats (--quick)" : " repeats")
                        + ", ours and the peer in turn: medians. ratio: how many times better"
                        + " than the peer; spread: the least and the largest ratio of one repeat.",
                machine.os() + ", " + machine.jdk() + ", " + machine.processors() + " processors, commit " + (commit.isEmpty()
                        ? "not known"
                        : commit));
    }

    /** Formats a number with three significant digits. */
    public static String number(double value)
    {
        return String.format(Locale.ROOT, Math.abs(value) >= 1000 ? "%.0f" : "%.3g", value);
    }
}
