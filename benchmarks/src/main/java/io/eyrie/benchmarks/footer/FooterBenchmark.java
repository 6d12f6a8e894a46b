// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.footer;

import io.eyrie.benchmarks.Medians;
import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.benchmarks.footer.WideFormat.OneColumn;
import io.eyrie.benchmarks.micro.Workplace;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.testing.lake.Checkout;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

import static java.util.Objects.requireNonNull;

/**
 * Question: how much does it cost to open a file with a large footer and to read one of its columns, with its metadata cached in memory, and right
 * after a restart? Baseline: the same readers with Presto's own caches, and with none. Command: {@code bin/bench footer}.
 */
public final class FooterBenchmark
        implements Benchmark
{
    /*
     * Ours        Eyrie's footer caches, and its page cache for all other reads. After a restart, both are reopened over the same directory.
     * Stock       Presto's own footer caches. In warm reads, the data comes from the same pages as Eyrie's, so that only the footers differ. After a
     *             restart, it has only the file behind the link.
     * None        No caches, over the link.
     * Cost        Of the reading thread. Warm: the median of several alternating reads.
     */
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 2;
    private static final int MOST_ROUNDS = 50;
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final double BAR_STOCK = 1;
    private static final double BAR_NONE = 3;
    private static final double BAR_RESTART = 5;

    private final Size size;

    /** The size of the files, the latency of the link, and the number of measured warm reads, which follow as many unmeasured ones. */
    record Size(int columns, int groups, int rowsPerGroup, int latencyMillis, int reads)
    {
        static final Size FULL = new Size(1000, 100, 50, 30, 100);
    }

    private enum Way
    {
        OURS_WARM, STOCK_WARM, NONE, OURS_RESTARTED, STOCK_RESTARTED
    }

    private record Cost(double wallSeconds, double cpuSeconds)
    {}

    private interface Read
    {
        long sum()
                throws IOException;
    }

    public FooterBenchmark()
    {
        this(Size.FULL);
    }

    FooterBenchmark(Size size)
    {
        this.size = requireNonNull(size, "size is null");
    }

    @Override
    public String name()
    {
        return "footer";
    }

    @Override
    public String question()
    {
        return "opening files of 1,000 columns and 100 stripes and reading one column, against Presto's caches of footers and none";
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
            for (WideFormat format : List.of(new WideOrc(), new WideParquet())) {
                results.addAll(results(format.title(), measure(format, workplace.folder(format.title()), repeats, progress)));
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return results;
    }

    private Map<Way, List<Cost>> measure(WideFormat format, Path directory, int repeats, Consumer<String> progress)
            throws IOException
    {
        FarBytes far = new FarBytes(format.write(size.columns(), size.groups(), size.rowsPerGroup()), size.latencyMillis());
        progress.accept(format.title() + ": a file of " + (far.lengthBytes() >> 10) + " KiB");
        long expected = format.none().sum(far::readFully, far.lengthBytes());
        fill(directory, format, far);
        Map<Way, List<Cost>> costs = new EnumMap<>(Way.class);
        OneColumn stock = format.stock();
        for (int repeat = 0; repeat < repeats; repeat++) {
            try (Worker worker = new Worker(directory, format, far)) {
                long before = far.requests();
                add(costs, Way.OURS_RESTARTED, cost(worker::sum, expected));
                progress.accept(format.title() + ", restarted: " + (far.requests() - before) + " requests");
                add(costs, Way.STOCK_RESTARTED, cost(() -> format.stock().sum(far::readFully, far.lengthBytes()), expected));
                add(costs, Way.NONE, cost(() -> format.none().sum(far::readFully, far.lengthBytes()), expected));
                List<Cost> ours = new ArrayList<>();
                List<Cost> theirs = new ArrayList<>();
                for (int i = 0; i < 2 * size.reads(); i++) {
                    ours.add(cost(worker::sum, expected));
                    theirs.add(cost(() -> worker.sum(stock), expected));
                }
                add(costs, Way.OURS_WARM, median(ours.subList(size.reads(), ours.size())));
                add(costs, Way.STOCK_WARM, median(theirs.subList(size.reads(), theirs.size())));
            }
        }
        return costs;
    }

    /** Reads until two reads sent no requests, so that all background writes have ended. */
    private static void fill(Path directory, WideFormat format, FarBytes far)
            throws IOException
    {
        int quietRounds = 0;
        for (int round = 0; quietRounds < 2; round++) {
            if (round == MOST_ROUNDS) {
                throw new ReportedException("The cache does not keep the file of " + format.title());
            }
            long before = far.requests();
            // a new worker for each round, because entries in memory would hide entries that are missing on disk
            try (Worker worker = new Worker(directory, format, far)) {
                worker.sum();
            }
            quietRounds = far.requests() == before ? quietRounds + 1 : 0;
            LockSupport.parkNanos(SETTLE_NANOS);
        }
    }

    private static Cost cost(Read read, long expected)
            throws IOException
    {
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        long sum = read.sum();
        Cost cost = new Cost((System.nanoTime() - wall) / 1e9, (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9);
        if (sum != expected) {
            throw new ReportedException("Wrong sum of the column: " + sum + ", expected " + expected);
        }
        return cost;
    }

    private static Cost median(List<Cost> costs)
    {
        return new Cost(
                Medians.median(costs.stream().map(Cost::wallSeconds).toList()),
                Medians.median(costs.stream().map(Cost::cpuSeconds).toList()));
    }

    private static void add(Map<Way, List<Cost>> costs, Way way, Cost cost)
    {
        costs.computeIfAbsent(way, ignored -> new ArrayList<>()).add(cost);
    }

    private static List<BenchResult> results(String title, Map<Way, List<Cost>> costs)
    {
        List<BenchResult> results = new ArrayList<>();
        Map<String, ToDoubleFunction<Cost>> metrics = Map.of("wall", Cost::wallSeconds, "cpu", Cost::cpuSeconds);
        for (String metric : List.of("wall", "cpu")) {
            ToDoubleFunction<Cost> seconds = requireNonNull(metrics.get(metric), "no metric");
            // the link dominates the cost of a restart; processor time is reported without a bar
            Double restartBar = metric.equals("wall") ? BAR_RESTART : null;
            results.add(result(costs, seconds, new Question(title + "-warm", metric, "s", "stock"), Way.OURS_WARM, Way.STOCK_WARM, BAR_STOCK));
            results.add(result(costs, seconds, new Question(title + "-warm", metric, "s", "none"), Way.OURS_WARM, Way.NONE, BAR_NONE));
            results.add(result(
                    costs,
                    seconds,
                    new Question(title + "-restart", metric, "s", "stock"),
                    Way.OURS_RESTARTED,
                    Way.STOCK_RESTARTED,
                    restartBar));
            results.add(result(costs, seconds, new Question(title + "-restart", metric, "s", "none"), Way.OURS_RESTARTED, Way.NONE, null));
        }
        return results;
    }

    private static BenchResult result(
            Map<Way, List<Cost>> costs,
            ToDoubleFunction<Cost> seconds,
            Question question,
            Way ours,
            Way peer,
            @Nullable Double bar)
    {
        return BenchResult.lessIsBetter(question, values(costs, ours, seconds), values(costs, peer, seconds), bar);
    }

    private static List<Double> values(Map<Way, List<Cost>> costs, Way way, ToDoubleFunction<Cost> seconds)
    {
        return costs.getOrDefault(way, List.of()).stream().map(seconds::applyAsDouble).toList();
    }
}
