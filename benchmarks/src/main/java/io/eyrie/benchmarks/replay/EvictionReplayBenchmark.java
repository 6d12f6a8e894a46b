// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.simulation.PageAccesses;
import io.eyrie.cache.simulation.Simulation;
import io.eyrie.cache.simulation.SyntheticTrace;
import io.eyrie.testing.lake.Checkout;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Question: what fraction of accesses does Eyrie's default eviction policy serve? Baseline: LRU, Belady's optimum, and Caffeine's W-TinyLFU, at the
 * same capacity, a percentage of the bytes of all distinct pages. The ratio is Eyrie's hit ratio minus the peer's, in percentage points. Command:
 * {@code bin/bench eviction-replay}.
 */
public final class EvictionReplayBenchmark
        implements Benchmark
{
    private static final int[] CAPACITY_PERCENTS = {5, 10, 20, 40};
    private static final double BAR_POINTS = -0.5;
    private static final double SCANS_BAR_POINTS = 15;

    @Override
    public String name()
    {
        return "eviction-replay";
    }

    @Override
    public String question()
    {
        return "hit ratios of the default eviction policy on traces, against LRU, the optimum and W-TinyLFU; the ratio is in points";
    }

    /** Returns 1, because the results are deterministic except for a little randomness in Caffeine. */
    @Override
    public int repeats(boolean quick)
    {
        return 1;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        List<BenchResult> results = new ArrayList<>();
        for (SyntheticTrace trace : SyntheticTrace.values()) {
            String name = trace.name().toLowerCase(Locale.ROOT);
            progress.accept(name);
            double bar = trace == SyntheticTrace.SCANS ? SCANS_BAR_POINTS : BAR_POINTS;
            PageAccesses accesses = trace.generate();
            for (int percent : CAPACITY_PERCENTS) {
                results.addAll(results(name, accesses, percent, bar));
            }
        }
        for (RecordedTrace trace : RecordedTrace.values()) {
            progress.accept(trace.title());
            PageAccesses accesses = trace.read();
            for (int percent : CAPACITY_PERCENTS) {
                results.addAll(results(trace.title(), accesses, percent, BAR_POINTS));
            }
        }
        Path chart = checkout.root().resolve("benchmarks/target/eviction-replay.html");
        write(chart, ReplayChart.page(results));
        progress.accept("The curves are in " + chart);
        return results;
    }

    private static void write(Path file, String text)
    {
        try {
            Files.writeString(file, text);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<BenchResult> results(String trace, PageAccesses accesses, int capacityPercent, double barPoints)
    {
        long capacityBytes = accesses.footprintBytes() * capacityPercent / 100;
        double ours = Simulation.of(EvictionKind.DEFAULT, accesses, capacityBytes).hitRatio();
        double lru = Simulation.of(EvictionKind.LRU, accesses, capacityBytes).hitRatio();
        double optimum = Simulation.optimum(accesses, capacityBytes).hitRatio();
        String name = trace + "-" + capacityPercent + "pct";
        return List.of(
                result(name, ours, "lru", lru, barPoints),
                result(name, ours, "belady", optimum, null),
                result(name, ours, "w-tinylfu", WTinyLfu.hitRatio(accesses, capacityBytes), null));
    }

    private static BenchResult result(String name, double ours, String peerName, double peer, @Nullable Double barPoints)
    {
        double points = (ours - peer) * 100;
        return new BenchResult(
                name,
                "hit-ratio",
                "1",
                ours,
                peerName,
                peer,
                points,
                List.of(points, points),
                barPoints,
                barPoints == null ? null : points >= barPoints);
    }
}
