// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.throughput;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.bench.Benchmark;
import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Ssb;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.benchmarks.soak.Leaks;
import io.eyrie.benchmarks.throughput.Mix.Kind;
import io.eyrie.benchmarks.throughput.Mix.Tables;
import io.eyrie.cli.page.HtmlPage;
import io.eyrie.cli.page.LineChart;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.presto.NodeMBeans;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/**
 * Question: how many queries a second do many clients at a time get, and how long do they wait? Baseline: Presto's own Hive connector, without caches
 * and with all of them. Command: {@code bin/bench throughput}.
 */
public final class ThroughputBenchmark
        implements Benchmark
{
    /*
     * Clients   1, 4, 16 and 32, each running one query of Mix after the other: dashboards (60 %), drill-downs (25 %) and ad hoc queries (15 %). The
     *           variants run in turn, with the same seeds; the seeds of each link, number of clients and repeat differ.
     * Writer    Adds a partition to lineorder every minute.
     * Answers   After the clients have ended, ours are compared with vanilla's to the same SQL, and the peer's with these; outdated answers of the peer
     *           are counted in the progress.
     * Drill     Of each drill-down of ours, the statistics show whether it read a page.
     * Profile   JFR records both servers during one more load of ours by JUDGED_CLIENTS, which is not measured. None of the LONGEST_WAITS for locks, summed
     *           by class and place, may be for one of ours. The recordings stay in benchmarks/target.
     * Heap      Flat if what lives after the last load is at most BAR_HEAP_GROWTH times what lived half the run before, 36 minutes with two repeats
     */
    private static final double SCALE = 0.1;
    private static final int REPEATS = 2;
    private static final int QUICK_REPEATS = 1;
    private static final List<Integer> CLIENTS = List.of(1, 4, 16, 32);
    private static final int JUDGED_CLIENTS = 16;
    private static final Map<String, LinkShape> LINKS = new TreeMap<>(Map.of("far", LinkShape.FAR, "near", LinkShape.STANDARD));
    private static final Map<String, Map<Variant, Double>> BARS = Map.of(
            "far", Map.of(Variant.VANILLA, 40.0, Variant.RAPTORX, 3.0),
            "near", Map.of(Variant.VANILLA, 12.0, Variant.RAPTORX, 2.5));
    private static final double BAR_TAIL = 3;
    private static final double BAR_WITHOUT_READS = 0.75;
    private static final double BAR_HEAP_GROWTH = 1.1;
    private static final int LONGEST_WAITS = 10;
    private static final List<Variant> VARIANTS = List.of(Variant.VANILLA, Variant.OURS, Variant.RAPTORX);
    private static final Map<String, Double> QUANTILES = new TreeMap<>(Map.of("p50", 0.5, "p95", 0.95, "p99", 0.99));
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public String name()
    {
        return "throughput";
    }

    @Override
    public String question()
    {
        return "queries a second and latencies of 1 to 32 clients (dashboards, drill-downs, ad hoc) against Presto's own connector without and with all caches";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        Durations durations = repeats == QUICK_REPEATS
                ? new Durations(Duration.ofSeconds(10), Duration.ofSeconds(20))
                : new Durations(Duration.ofSeconds(30), Duration.ofSeconds(60));
        List<BenchResult> results = new ArrayList<>();
        // the statistics of a load's first drill-down are requested after its last query
        try (Lake lake = PeerLake.builder(checkout, name(), progress).config("query.min-expire-age", "2m").jvmOption(Profile.JVM_OPTION).start()) {
            lake.createTpchTables(Tables.TPCH.schema(), SCALE, "ORC", true, (table, rows) -> {});
            Ssb.createTables(lake, Tables.SSB.schema(), SCALE, true);
            progress.accept("tables made");
            ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
            try {
                Runs runs = new Runs(lake, durations, progress);
                Future<?> writing = writer.scheduleAtFixedRate(runs::addPartition, 1, 1, TimeUnit.MINUTES);
                Map<String, Map<Variant, Map<Integer, List<Measured>>>> measured = new LinkedHashMap<>();
                LINKS.forEach((link, shape) -> {
                    lake.link().reshape(shape);
                    measured.put(link, runs.measure(link, repeats));
                });
                measured.forEach((link, variants) -> results.addAll(results(link, variants)));
                List<Measured> ours = measured.values().stream().flatMap(variants -> requireNonNull(variants.get(Variant.OURS), "not measured")
                        .values()
                        .stream()).flatMap(List::stream).toList();
                results.add(withoutReads("drill-down", ours));
                results.add(heapGrowth(ours));
                results.addAll(runs.profile(checkout.root().resolve("benchmarks/target")));
                if (writing.isDone()) {
                    throw new IllegalStateException("The writer failed; it added " + runs.added + " partitions");
                }
                draw(checkout.root().resolve("benchmarks/target/throughput.html"), measured);
            }
            finally {
                writer.shutdownNow();
            }
        }
        return results;
    }

    private record Durations(Duration warmUp, Duration measured)
    {}

    /**
     * A load, with what it cost: seconds of processors, requests to S3, bytes of both heaps.
     *
     * @param liveHeapBytes without garbage, after the load
     * @param withoutReads whether each drill-down of ours read no page; empty for the peers
     */
    private record Measured(Load load, double coordinatorSeconds, double workerSeconds, LinkCounts link, double peakHeapBytes, double liveHeapBytes,
            List<Boolean> withoutReads)
    {
        private double each(double sum)
        {
            return sum / Math.max(1, load.queries().size());
        }
    }

    /** Returns the results of one link. */
    private static List<BenchResult> results(String link, Map<Variant, Map<Integer, List<Measured>>> variants)
    {
        List<BenchResult> results = new ArrayList<>();
        for (int clients : CLIENTS) {
            String row = link + "-clients-" + clients;
            for (Variant peer : List.of(Variant.VANILLA, Variant.RAPTORX)) {
                Pairs pairs = new Pairs(row, peer, at(variants, Variant.OURS, clients), at(variants, peer, clients));
                Double bar = clients == JUDGED_CLIENTS ? requireNonNull(BARS.get(link), "no bars").get(peer) : null;
                results.add(BenchResult.moreIsBetter(
                        pairs.question(row, "queries-per-second", "1/s"),
                        pairs.ours(one -> one.load().perSecond()),
                        pairs.peer(one -> one.load().perSecond()),
                        bar));
                QUANTILES.forEach((name, share) -> {
                    results.add(pairs.less(row, name, "s", one -> one.load().quantile(share, List.of(Kind.values()))));
                    for (Kind kind : Kind.values()) {
                        results.add(pairs.less(row + "-" + kind.plural(), name, "s", one -> one.load().quantile(share, List.of(kind))));
                    }
                });
                results.add(pairs.less(row, "coordinator-cpu-per-query", "s", one -> one.each(one.coordinatorSeconds())));
                results.add(pairs.less(row, "worker-cpu-per-query", "s", one -> one.each(one.workerSeconds())));
                results.add(pairs.less(row, "s3-requests-per-query", "1", one -> one.each((double) one.link().requests())));
                results.add(pairs.less(row, "s3-bytes-per-query", "B", one -> one.each((double) one.link().dataBytes())));
                results.add(pairs.less(row, "peak-heap", "B", Measured::peakHeapBytes));
                results.add(pairs.less(row, "live-heap", "B", Measured::liveHeapBytes));
                BenchResult failed = pairs.less(row, "failed", "1", one -> one.load().failed());
                results.add(failed.withBarOfOurs(failed.peer(), false));
            }
            Pairs ideal = new Pairs(row, Variant.FLOOR, at(variants, Variant.OURS, clients), List.of());
            List<Double> tails = ideal.ours(one -> one.load().quantile(0.99, List.of(Kind.DASHBOARD)) / one.load().quantile(0.5, List.of(
                    Kind.DASHBOARD)));
            Question question = new Question(row, "p99-over-p50-dashboards", "1", "ideal");
            results.add(BenchResult.lessIsBetter(question, tails, tails.stream().map(any -> 1.0).toList(), null).withBarOfOurs(BAR_TAIL, false));
            results.add(withoutReads(row + "-" + Kind.DRILL_DOWN.plural(), at(variants, Variant.OURS, clients)));
        }
        return results;
    }

    /** Returns the share of the drill-downs of these loads that read no page. */
    private static BenchResult withoutReads(String name, List<Measured> loads)
    {
        List<Boolean> all = loads.stream().flatMap(load -> load.withoutReads().stream()).toList();
        double share = all.isEmpty() ? 0 : (double) all.stream().filter(without -> without).count() / all.size();
        return BenchResult.moreIsBetter(new Question(name, "queries-without-page-reads", "1", "ideal"), List.of(share), List.of(1.0), null)
                .withBarOfOurs(BAR_WITHOUT_READS, true);
    }

    /** Returns the growth of the live heap in the second half of the run, in which caches no longer fill. */
    private static BenchResult heapGrowth(List<Measured> ours)
    {
        double growth = ours.get(ours.size() - 1).liveHeapBytes() / ours.get(ours.size() / 2).liveHeapBytes();
        return BenchResult.lessIsBetter(new Question("second-half", "live-heap-growth", "1", "ideal"), List.of(growth), List.of(1.0), null)
                .withBarOfOurs(BAR_HEAP_GROWTH, false);
    }

    private static List<Measured> at(Map<Variant, Map<Integer, List<Measured>>> variants, Variant variant, int clients)
    {
        return requireNonNull(requireNonNull(variants.get(variant), "not measured").get(clients), "not measured");
    }

    private record Pairs(String row, Variant variant, List<Measured> measured, List<Measured> theirs)
    {
        private Question question(String name, String metric, String unit)
        {
            return new Question(name, metric, unit, variant.peerName());
        }

        private BenchResult less(String name, String metric, String unit, ToDoubleFunction<Measured> value)
        {
            return BenchResult.lessIsBetter(question(name, metric, unit), ours(value), peer(value), null);
        }

        private List<Double> ours(ToDoubleFunction<Measured> value)
        {
            return measured.stream().map(value::applyAsDouble).toList();
        }

        private List<Double> peer(ToDoubleFunction<Measured> value)
        {
            return theirs.stream().map(value::applyAsDouble).toList();
        }
    }

    private static void draw(Path file, Map<String, Map<Variant, Map<Integer, List<Measured>>>> measured)
    {
        HtmlPage page = new HtmlPage("Seconds of the median and of the 99th percentile over the number of clients");
        measured.forEach((link, variants) -> List.of("p50", "p99").forEach(quantile -> {
            Map<String, TreeMap<Long, Double>> lines = new LinkedHashMap<>();
            double share = requireNonNull(QUANTILES.get(quantile), "none");
            variants.forEach((variant, loads) -> loads.forEach((clients, repeats) -> lines.computeIfAbsent(variant.peerName(), any -> new TreeMap<>())
                    .put((long) clients, repeats.get(0).load().quantile(share, List.of(Kind.values())))));
            double most = lines.values().stream().flatMap(line -> line.values().stream()).mapToDouble(Double::doubleValue).max().orElse(1);
            String title = link + ", " + quantile;
            page.chart(new LineChart(title, most, seconds -> String.format(Locale.ROOT, "%.1f s", seconds), Long::toString, lines).svg());
        }));
        try {
            Files.writeString(file, page.end());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The runs on one cluster. */
    private static final class Runs
    {
        private final Lake lake;
        private final Durations durations;
        private final Consumer<String> progress;
        private final AtomicInteger added = new AtomicInteger();
        private final AtomicInteger outdated = new AtomicInteger();

        private Runs(Lake lake, Durations durations, Consumer<String> progress)
        {
            this.lake = requireNonNull(lake, "lake is null");
            this.durations = requireNonNull(durations, "durations is null");
            this.progress = requireNonNull(progress, "progress is null");
        }

        private void addPartition()
        {
            int month = added.getAndIncrement();
            lake.uncachedClient(Tables.SSB.schema()).execute(
                    "INSERT INTO lineorder SELECT lo_orderkey, lo_linenumber, lo_custkey, lo_partkey, lo_suppkey, "
                            + "20000101, lo_orderpriority, lo_quantity, lo_extendedprice, lo_discount, lo_revenue, lo_supplycost, lo_shipmode, '"
                            + String.format(Locale.ROOT, "%d-%02d", 2000 + month / 12, month % 12 + 1)
                            + "' FROM lineorder WHERE lo_month = '1995-05'");
        }

        private Map<Variant, Map<Integer, List<Measured>>> measure(String link, int repeats)
        {
            Map<Variant, Map<Integer, List<Measured>>> measured = new LinkedHashMap<>();
            for (int clients : CLIENTS) {
                for (int repeat = 0; repeat < repeats; repeat++) {
                    long seed = 1_000_000L * link.length() + 1000L * repeat + clients;
                    Map<String, QueryResult> answers = new ConcurrentHashMap<>();
                    for (Variant variant : VARIANTS) {
                        Measured one = measure(variant, clients, seed, answers);
                        progress.accept(String.format(
                                Locale.ROOT,
                                "%s, %s clients, %s: %.2f queries a second, p50 %.2f s, p99 %.2f s, %.0f failed",
                                link,
                                clients,
                                variant.peerName(),
                                one.load().perSecond(),
                                one.load().quantile(0.5, List.of(Kind.values())),
                                one.load().quantile(0.99, List.of(Kind.values())),
                                one.load().failed()));
                        measured.computeIfAbsent(variant, any -> new TreeMap<>()).computeIfAbsent(clients, any -> new ArrayList<>()).add(one);
                    }
                }
            }
            progress.accept("outdated answers of raptorx so far: " + outdated);
            return measured;
        }

        private Measured measure(Variant variant, int clients, long seed, Map<String, QueryResult> answers)
        {
            List<Mix> mixes = IntStream.range(0, clients).mapToObj(client -> new Mix(seed * 100 + client)).toList();
            load(variant, mixes, durations.warmUp(), answers, any -> {});
            double coordinator = processorSeconds(lake.presto().coordinatorMBeans());
            double worker = processorSeconds(lake.presto().workerMBeans(0));
            LinkCounts before = lake.link().counts();
            List<QueryResult> drillDowns = new ArrayList<>();
            Load load;
            double peakHeapBytes;
            try (PeakHeap heap = new PeakHeap(List.of(lake.presto().coordinatorMBeans(), lake.presto().workerMBeans(0)))) {
                load = load(variant, mixes, durations.measured(), answers, drillDowns::add);
                peakHeapBytes = heap.bytes();
            }
            return new Measured(
                    load,
                    processorSeconds(lake.presto().coordinatorMBeans()) - coordinator,
                    processorSeconds(lake.presto().workerMBeans(0)) - worker,
                    lake.link().counts().minus(before),
                    peakHeapBytes,
                    lake.presto().pids().stream().mapToDouble(Leaks::liveBytes).sum(),
                    variant == Variant.OURS ? drillDowns.stream().map(this::readsNoPage).toList() : List.of());
        }

        private List<BenchResult> profile(Path directory)
        {
            List<Mix> mixes = IntStream.range(0, JUDGED_CLIENTS).mapToObj(Mix::new).toList();
            load(Variant.OURS, mixes, durations.warmUp(), new ConcurrentHashMap<>(), any -> {});
            Map<String, Long> pids = new TreeMap<>(Map.of("coordinator", lake.presto().pids().get(0), "worker", lake.presto().pids().get(1)));
            pids.values().forEach(Profile::start);
            load(Variant.OURS, mixes, durations.measured(), new ConcurrentHashMap<>(), any -> {});
            List<BenchResult> results = new ArrayList<>();
            pids.forEach((server, pid) -> {
                Profile profile = Profile.stop(pid, directory.resolve("throughput-" + server + ".jfr"));
                profile.waits().stream().limit(LONGEST_WAITS).forEach(wait -> progress.accept(server + " waited " + wait));
                Map<String, Double> values = new TreeMap<>(Map.of(
                        "eyrie-among-longest-waits", (double) profile.ours(LONGEST_WAITS),
                        "eyrie-share-of-samples", profile.computing(),
                        "eyrie-share-of-allocation", profile.allocating(),
                        "gc-pause-share", profile.pauseSeconds() / durations.measured().toSeconds()));
                values.forEach((metric, value) -> {
                    BenchResult result = BenchResult.lessIsBetter(new Question("profile-" + server, metric, "1", "ideal"), List.of(value), List.of(
                            0.0), null);
                    results.add(metric.equals("eyrie-among-longest-waits") ? result.withBarOfOurs(0.0, false) : result);
                });
            });
            return results;
        }

        private boolean readsNoPage(QueryResult query)
        {
            QueryStatistics statistics = lake.client(Tables.SSB.schema()).statistics(query);
            return statistics.metric("eyrieDataCacheReads").sum() + statistics.metric("eyrieDataRemoteReads").sum() == 0;
        }

        /* Also passes on the answers to drill-downs. */
        private Load load(Variant variant, List<Mix> mixes, Duration duration, Map<String, QueryResult> answers, Consumer<QueryResult> drillDowns)
        {
            return Load.run(mixes, duration, System::nanoTime, question -> client(variant, question).execute(question.sql()), (question, answer) -> {
                if (question.kind() == Kind.DRILL_DOWN) {
                    drillDowns.accept(answer);
                }
                QueryResult other = variant == Variant.RAPTORX ? answers.get(question.sql()) : answers.putIfAbsent(question.sql(), answer);
                if (other == null || answer.checksum().equals(other.checksum())) {
                    return;
                }
                if (variant == Variant.RAPTORX) {
                    outdated.incrementAndGet();
                }
                else {
                    Rows.assertSameRows(answer, other);
                }
            });
        }

        private static double processorSeconds(NodeMBeans node)
        {
            return node.number("java.lang:type=OperatingSystem", "ProcessCpuTime") / NANOS_PER_SECOND;
        }

        private PrestoClient client(Variant variant, Mix.Question question)
        {
            return PeerLake.client(lake, variant, question.tables().schema());
        }
    }
}
