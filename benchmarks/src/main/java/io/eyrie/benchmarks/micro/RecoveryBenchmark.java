// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.cache.page.PageCache;
import io.eyrie.testing.lake.Checkout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Question: how long after the start of a process does a cache of a million pages serve its first hit? Baseline: Alluxio's client cache. It serves
 * while it restores, so the measured time ends with a hit after its restore. The pages are small, each of a separate file, so that a disk can hold
 * them; each measurement is a new JVM. Command: {@code bin/bench recovery}.
 */
public final class RecoveryBenchmark
        implements Benchmark
{
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 1;
    private static final double BAR = 20;
    private static final double MOST_SECONDS = 1;

    private final Effort effort;

    public RecoveryBenchmark()
    {
        this(Effort.FULL);
    }

    RecoveryBenchmark(Effort effort)
    {
        this.effort = effort;
    }

    @Override
    public String name()
    {
        return "recovery";
    }

    @Override
    public String question()
    {
        return "from opening a cache of a million pages to the first hit (at most a second), against Alluxio's restore";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        int pages = effort.smallPages();
        Map<CacheVariant, List<Double>> seconds = new EnumMap<>(CacheVariant.class);
        try (Workplace workplace = Workplace.of(checkout, name())) {
            for (CacheVariant variant : List.of(CacheVariant.EYRIE, CacheVariant.ALLUXIO)) {
                progress.accept("Writing " + pages + " pages of " + variant.peerName());
                write(variant, pages, workplace.folder(variant.peerName()));
                seconds.put(variant, new ArrayList<>());
            }
            for (int repeat = 0; repeat < repeats; repeat++) {
                seconds.forEach((variant, times) -> {
                    times.add(Jmh.firstSeconds(FirstHits.class, Map.of(
                            "variant", variant.name(),
                            "directory", workplace.directory().resolve(variant.peerName()).toString(),
                            "pages", Integer.toString(pages)), effort, workplace.log()));
                    progress.accept(String.format(Locale.ROOT, "%s: %.3f s", variant.peerName(), times.get(times.size() - 1)));
                });
            }
        }
        List<Double> ours = seconds.getOrDefault(CacheVariant.EYRIE, List.of());
        BenchResult result = BenchResult.lessIsBetter(
                new Question("pages-1M", "open-to-first-hit", "s", CacheVariant.ALLUXIO.peerName()),
                ours,
                seconds.getOrDefault(CacheVariant.ALLUXIO, List.of()),
                BAR);
        return List.of(result.ours() <= MOST_SECONDS ? result : result.failed());
    }

    private static void write(CacheVariant variant, int pages, Path directory)
    {
        try (PageCache cache = variant.open(directory, FirstHits.capacityBytes(pages), FirstHits.PAGE_BYTES)) {
            CacheFiller.fillSmall(cache, pages);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
