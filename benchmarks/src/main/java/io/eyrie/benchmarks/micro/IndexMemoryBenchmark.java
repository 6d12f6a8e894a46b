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
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Question: how much memory, heap and off-heap together, does a page on disk take? Baseline: the index of Alluxio's client cache for the same number
 * of pages, 64 per file. The bar is absolute: at most 48 bytes. Command: {@code bin/bench index-memory}.
 */
public final class IndexMemoryBenchmark
        implements Benchmark
{
    /*
     * Measured    In a new JVM, the memory in use after garbage collections: before a cache is opened, and when it is open and has served a hit. So
     *             an open cache counts as index entirely, including its buffers.
     * Ours        Opened on two million small pages, each of a separate file, the index's worst case.
     * Alluxio's   Its index is filled directly: writing two million of its files would take the disk an hour, and the index does not check whether
     *             they exist.
     */
    private static final int REPEATS = 3;
    private static final int QUICK_REPEATS = 1;
    private static final double MOST_BYTES = 48;

    private final Effort effort;

    public IndexMemoryBenchmark()
    {
        this(Effort.FULL);
    }

    IndexMemoryBenchmark(Effort effort)
    {
        this.effort = effort;
    }

    @Override
    public String name()
    {
        return "index-memory";
    }

    @Override
    public String question()
    {
        return "bytes of memory for each of two million pages on the disk (at most 48), beside Alluxio's client";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        int pages = 2 * effort.smallPages();
        List<Double> ours = new ArrayList<>();
        List<Double> alluxio = new ArrayList<>();
        try (Workplace workplace = Workplace.of(checkout, name())) {
            Path directory = workplace.folder("pages");
            progress.accept("Writing " + pages + " pages");
            try (PageCache cache = CacheVariant.EYRIE.open(directory, FirstHits.capacityBytes(pages), FirstHits.PAGE_BYTES)) {
                CacheFiller.fillSmall(cache, pages);
            }
            for (int repeat = 0; repeat < repeats; repeat++) {
                ours.add(IndexWeight.inNewJvm(CacheVariant.EYRIE, pages, directory, workplace.directory()));
                alluxio.add(IndexWeight.inNewJvm(CacheVariant.ALLUXIO, pages, directory, workplace.directory()));
                progress.accept(String.format(Locale.ROOT, "%.1f bytes a page, Alluxio %.1f", ours.get(repeat), alluxio.get(repeat)));
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        BenchResult result = BenchResult.lessIsBetter(
                new Question("pages-2M", "bytes-per-page", "B", CacheVariant.ALLUXIO.peerName()),
                ours,
                alluxio,
                null);
        return List.of(result.withBar(result.peer() / MOST_BYTES));
    }
}
