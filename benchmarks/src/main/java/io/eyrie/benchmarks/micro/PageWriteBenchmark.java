// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Question: how much do readers of hits slow down while others fill the cache? Baseline: the same readers without filling; and Alluxio's client
 * cache, filled in the same way. Command: {@code bin/bench page-write}.
 */
public final class PageWriteBenchmark
        implements Benchmark
{
    /*
     * Readers     Two, each reads 8 KiB of a hot file 250 times per second. Only the time of the read counts, not the wait for its turn.
     * Filling     Four streams over cold files, 5 ms and 50 MiB/s each, as from a store behind a link: pages arrive as fast as the same link allows,
     *             whatever the cache costs.
     * Raw         The same readers of an open file, during the same filling of Eyrie's cache: the machine's own effect on a reader.
     */
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 2;
    /** 1 / 1.5: the readers' p99 must stay within one and a half times that without filling. */
    private static final double IDLE_BAR = 1 / 1.5;

    private final Effort effort;

    public PageWriteBenchmark()
    {
        this(Effort.FULL);
    }

    PageWriteBenchmark(Effort effort)
    {
        this.effort = effort;
    }

    @Override
    public String name()
    {
        return "page-write";
    }

    @Override
    public String question()
    {
        return "the 99th percentile of rate-limited readers while others fill the cache, against nobody filling it, and Alluxio's client";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        List<Double> idle = new ArrayList<>();
        List<Double> filled = new ArrayList<>();
        List<Double> alluxio = new ArrayList<>();
        List<Double> rawIdle = new ArrayList<>();
        List<Double> rawFilled = new ArrayList<>();
        try (Workplace workplace = Workplace.of(checkout, name())) {
            // compile the code before the measurement
            for (CacheVariant variant : CacheVariant.values()) {
                p99(variant, true, workplace.folder("warm-up-" + variant.peerName()));
            }
            for (int repeat = 0; repeat < repeats; repeat++) {
                idle.add(p99(CacheVariant.EYRIE, false, workplace.folder("idle-" + repeat)));
                filled.add(p99(CacheVariant.EYRIE, true, workplace.folder("filled-" + repeat)));
                alluxio.add(p99(CacheVariant.ALLUXIO, true, workplace.folder("alluxio-" + repeat)));
                rawIdle.add(p99(CacheVariant.RAW, false, workplace.folder("raw-idle-" + repeat)));
                rawFilled.add(p99(CacheVariant.RAW, true, workplace.folder("raw-filled-" + repeat)));
                progress.accept(String.format(Locale.ROOT,
                        "p99 alone %.0f µs, while filling %.0f µs, Alluxio's while filling %.0f µs; raw %.0f and %.0f µs",
                        idle.get(repeat), filled.get(repeat), alluxio.get(repeat), rawIdle.get(repeat), rawFilled.get(repeat)));
            }
        }
        String row = "populate-while-reading";
        return List.of(
                BenchResult.lessIsBetter(new Question(row, "reader-p99", "µs", "idle"), filled, idle, IDLE_BAR),
                BenchResult.lessIsBetter(new Question(row, "reader-p99", "µs", CacheVariant.ALLUXIO.peerName()), filled, alluxio, null),
                BenchResult.lessIsBetter(new Question(row, "reader-p99", "µs", CacheVariant.RAW.peerName()), filled, rawFilled, null),
                BenchResult.lessIsBetter(new Question("raw-" + row, "reader-p99", "µs", "idle"), rawFilled, rawIdle, null));
    }

    private double p99(CacheVariant variant, boolean filling, Path directory)
    {
        try {
            return new PacedReads(variant, variant == CacheVariant.RAW ? CacheVariant.EYRIE : variant, effort, directory).p99Micros(filling);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        finally {
            Directories.delete(directory);
        }
    }
}
