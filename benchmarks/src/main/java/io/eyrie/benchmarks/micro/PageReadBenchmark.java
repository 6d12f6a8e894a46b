// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.testing.lake.Checkout;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Question: how many hits per second does the engine serve, with checksums verified, compared with Alluxio's client cache and with reading a plain
 * file? Baseline: {@link CacheVariant#ALLUXIO} and {@link CacheVariant#RAW}, over the same bytes, into the same arrays, with the same threads. Command:
 * {@code bin/bench page-read}.
 */
public final class PageReadBenchmark
        implements Benchmark
{
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 1;

    private final Effort effort;

    /** The reads to measure, and the required ratio to each peer, with one thread and with eight. */
    private record Case(String name, int readBytes, boolean aligned, List<Double> alluxioBars, double rawBar)
    {}

    private static final List<Case> CASES = List.of(
            new Case("hit-8KiB-aligned", 8 << 10, true, List.of(4.0, 6.0), 0.6),
            new Case("hit-8KiB-unaligned", 8 << 10, false, List.of(4.0, 6.0), 0.6),
            new Case("hit-64KiB", 64 << 10, true, List.of(2.0, 2.0), 0.65),
            new Case("hit-1MiB", 1 << 20, true, List.of(1.5, 1.5), 0.65));
    private static final List<Integer> THREADS = List.of(1, 8);

    public PageReadBenchmark()
    {
        this(Effort.FULL);
    }

    PageReadBenchmark(Effort effort)
    {
        this.effort = effort;
    }

    @Override
    public String name()
    {
        return "page-read";
    }

    @Override
    public String question()
    {
        return "hits of the page cache, verified, against Alluxio's client cache and against reading one open file";
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
            for (Case measured : CASES) {
                for (int i = 0; i < THREADS.size(); i++) {
                    int threads = THREADS.get(i);
                    Map<CacheVariant, List<Double>> rates = rates(measured, threads, repeats, workplace);
                    String row = measured.name() + "-" + threads + "t";
                    List<Double> ours = rates.getOrDefault(CacheVariant.EYRIE, List.of());
                    for (CacheVariant peer : List.of(CacheVariant.ALLUXIO, CacheVariant.RAW)) {
                        BenchResult result = BenchResult.moreIsBetter(
                                new Question(row, "throughput", "reads/s", peer.peerName()),
                                ours,
                                rates.getOrDefault(peer, List.of()),
                                peer == CacheVariant.RAW ? measured.rawBar() : measured.alluxioBars().get(i));
                        progress.accept(String.format(Locale.ROOT, "%s: %.2f times %s", row, result.ratio(), peer.peerName()));
                        results.add(result);
                    }
                }
            }
        }
        return results;
    }

    private Map<CacheVariant, List<Double>> rates(Case measured, int threads, int repeats, Workplace workplace)
    {
        Map<CacheVariant, List<Double>> rates = new EnumMap<>(CacheVariant.class);
        for (int repeat = 0; repeat < repeats; repeat++) {
            for (CacheVariant variant : CacheVariant.values()) {
                double operations = Jmh.throughput(PageReads.class, Map.of(
                        "variant", variant.name(),
                        "directory", workplace.directory().toString(),
                        "readBytes", Integer.toString(measured.readBytes()),
                        "threads", Integer.toString(threads),
                        "aligned", Boolean.toString(measured.aligned()),
                        "filePages", Integer.toString(effort.filePages())), effort, workplace.log());
                rates.computeIfAbsent(variant, ignored -> new ArrayList<>())
                        .add(operations * PageReads.readsOfOperation(measured.readBytes()));
            }
        }
        return rates;
    }
}
