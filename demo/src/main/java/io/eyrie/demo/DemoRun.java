// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Runs the demo's queries: each query once with Presto's own connector, which has no cache, then cold, then warm, before the next query. It compares the answers of a query's runs. Not
 * thread-safe.
 */
public final class DemoRun
{
    /** The queries, in the order of their runs. */
    public static final List<Integer> QUERIES = List.of(1, 3, 6, 12, 19);

    private final QueryRunner runner;
    private final Consumer<String> progress;

    /** Creates a run. */
    public DemoRun(QueryRunner runner, Consumer<String> progress)
    {
        this.runner = requireNonNull(runner, "runner is null");
        this.progress = requireNonNull(progress, "progress is null");
    }

    /**
     * Runs all queries. Returns, for each, one row off, one cold, and one warm that summarizes {@code warmRuns} runs.
     *
     * @param warmRuns an odd number
     * @throws DifferentAnswersException if the runs of a query return different answers
     */
    public List<QueryRun> run(int warmRuns)
    {
        List<QueryRun> all = new ArrayList<>();
        for (int query : QUERIES) {
            QueryRun off = measure(query, RunMode.OFF);
            QueryRun cold = measure(query, RunMode.COLD);
            List<QueryRun> warm = new ArrayList<>();
            for (int i = 0; i < warmRuns; i++) {
                warm.add(measure(query, RunMode.WARM));
            }
            requireSameAnswers(Stream.concat(Stream.of(off, cold), warm.stream()).toList());
            all.add(off);
            all.add(cold);
            all.add(QueryRun.summary(warm));
        }
        return all;
    }

    private QueryRun measure(int query, RunMode mode)
    {
        QueryRun run = runner.run(query, mode);
        progress.accept(String.format(
                Locale.ROOT,
                "%-4s %-8s %6.2f s  %4d requests  %,12d bytes",
                run.query(),
                mode.word(),
                run.seconds(),
                run.s3Requests(),
                run.s3DataBytes()));
        return run;
    }

    static void requireSameAnswers(List<QueryRun> runs)
    {
        QueryRun first = runs.get(0);
        for (QueryRun run : runs) {
            if (!run.rowsChecksum().equals(first.rowsChecksum())) {
                throw new DifferentAnswersException(first, run);
            }
        }
    }
}
