// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.testing.lake.Checkout;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Question: do many readers slow each other down, on one hot page or on many, and how many remote requests does one cold page cause when 64 threads
 * read it at once? Baseline: two threads; one request. A row of hits holds only if Flight Recorder saw no thread enter a contended monitor, wait on
 * one or park while it served them. Command: {@code bin/bench contention}.
 */
public final class ContentionBenchmark
        implements Benchmark
{
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 1;
    private static final int BASELINE_THREADS = 2;
    private static final int MOST_THREADS = 64;
    private static final int READ_BYTES = 8 << 10;
    private static final double BAR = 0.9;

    private final Effort effort;

    public ContentionBenchmark()
    {
        this(Effort.FULL);
    }

    ContentionBenchmark(Effort effort)
    {
        this.effort = effort;
    }

    @Override
    public String name()
    {
        return "contention";
    }

    @Override
    public String question()
    {
        return "8 and 64 readers of one hot page and of many, against 2 readers; 64 readers of one cold page";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        List<BenchResult> results = new ArrayList<>();
        try (Workplace workplace = Workplace.of(checkout, name())) {
            for (boolean hot : List.of(true, false)) {
                int filePages = hot ? 1 : effort.filePages();
                String pages = hot ? "hot-page" : "many-pages";
                List<String> waits = new HitPath(CacheVariant.EYRIE, filePages).waits(MOST_THREADS, effort, workplace.folder(pages));
                progress.accept(pages + ": Flight Recorder saw " + (waits.isEmpty() ? "no wait on the hit path" : "waits on the hit path"));
                waits.forEach(progress);
                Map<Integer, List<Double>> rates = rates(filePages, repeats, workplace);
                List<Double> baseline = rates.getOrDefault(BASELINE_THREADS, List.of());
                rates.forEach((threads, ours) -> {
                    if (threads != BASELINE_THREADS) {
                        BenchResult result = BenchResult.moreIsBetter(
                                new Question(pages + "-" + threads + "t", "throughput", "reads/s", BASELINE_THREADS + "-threads"),
                                ours,
                                baseline,
                                BAR);
                        progress.accept(String.format(Locale.ROOT, "%s: %.2f times 2 threads", result.name(), result.ratio()));
                        results.add(waits.isEmpty() ? result : result.failed());
                    }
                });
            }
            List<Double> requests = new ArrayList<>();
            for (int repeat = 0; repeat < repeats; repeat++) {
                requests.add((double) ColdPage.requests(MOST_THREADS, workplace.folder("cold-" + repeat)));
            }
            List<Double> ideal = requests.stream().map(ignored -> 1.0).toList();
            results.add(BenchResult.lessIsBetter(new Question("cold-page-64t", "remote-requests", "1", "ideal"), requests, ideal, 1.0));
        }
        return results;
    }

    private Map<Integer, List<Double>> rates(int filePages, int repeats, Workplace workplace)
    {
        Map<Integer, List<Double>> rates = new TreeMap<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
            for (int threads : List.of(BASELINE_THREADS, 8, MOST_THREADS)) {
                double operations = Jmh.throughput(PageReads.class, Map.of(
                        "variant", CacheVariant.EYRIE.name(),
                        "directory", workplace.directory().toString(),
                        "readBytes", Integer.toString(READ_BYTES),
                        "threads", Integer.toString(threads),
                        "filePages", Integer.toString(filePages)), effort, workplace.log());
                rates.computeIfAbsent(threads, ignored -> new ArrayList<>()).add(operations * PageReads.readsOfOperation(READ_BYTES));
            }
        }
        return rates;
    }
}
