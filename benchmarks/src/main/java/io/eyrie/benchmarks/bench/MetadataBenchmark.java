// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.testing.lake.Checkout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * Question: how many metastore calls and how much time does a plan over many partitions need, and how much memory does caching them take? Baseline:
 * no cache, and Presto's own with a TTL of a day. Command: {@code bin/bench metadata}.
 */
public final class MetadataBenchmark
        implements Benchmark
{
    /*
     * Plans     A JVM with the plugin's class path queries a real metastore, on Derby and on MariaDB, as Presto's planner does: cold, warm, after
     *           another client altered one partition, and as the first plan of a new JVM, for Eyrie on the metadata that the one before stored. Eyrie and the peers run in turn.
     * Bars      Of Eyrie's number of calls and of fetched partitions. Presto's own cache does not notice that one partition has changed; it is no
     *           peer there.
     * Heap      A million partitions of 100 columns in Eyrie's cache. Presto's own would need 22.5 GB for them: it is measured with a hundredth of
     *           them, times a hundred. Then a plan gets 10,000 of these partitions, or as many as the peer has.
     */
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 1;
    private static final List<String> DATABASES = List.of("DERBY", "MARIADB");
    private static final List<Integer> PARTITIONS = List.of(1000, 10_000);
    private static final int KEPT_PARTITIONS = 1_000_000;
    private static final int PEERS_PART = 100;
    private static final int PLANNED_PARTITIONS = 10_000;
    private static final double WARM_CALLS = 2;
    private static final double WARM_SPEED = 10;
    private static final double KEPT_BYTES = 0.6e9;
    private static final double PLAN_SECONDS = 0.1;
    private static final double RESTARTED_SECONDS = 0.2;
    private static final String LARGE = "-10000-";
    private static final double MILLIS_PER_SECOND = 1000;
    private static final String MAIN = "io.eyrie.metastore.PlanMeasurement";

    private final List<String> databases;
    private final List<Integer> partitions;
    private final int keptPartitions;

    public MetadataBenchmark()
    {
        this(DATABASES, PARTITIONS, KEPT_PARTITIONS);
    }

    /**
     * Uses a metastore on each of these databases, with each of these numbers of partitions. {@code keptPartitions} are cached at once to measure the
     * heap.
     */
    public MetadataBenchmark(List<String> databases, List<Integer> partitions, int keptPartitions)
    {
        this.databases = List.copyOf(databases);
        this.partitions = List.copyOf(partitions);
        this.keptPartitions = keptPartitions;
    }

    @Override
    public String name()
    {
        return "metadata";
    }

    @Override
    public String question()
    {
        return "calls and time of a plan over 1,000 and 10,000 partitions, and memory of a million, beside no cache and Presto's own";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        Path workplace = checkout.root().resolve("target/bench");
        List<BenchResult> results = new ArrayList<>();
        for (String database : databases) {
            List<String> arguments = new ArrayList<>(List.of(
                    "plans",
                    database,
                    checkout.root().resolve("testing/hive-metastore/target/lib").toString(),
                    workplace.resolve("metadata-" + database + ".log").toString(),
                    Integer.toString(repeats)));
            partitions.forEach(count -> arguments.add(count.toString()));
            progress.accept("A metastore on " + database);
            List<Plan> plans = inNewJvm(checkout, arguments, progress).stream().map(Plan::of).toList();
            for (int count : partitions) {
                results.addAll(results(
                        "partitions-" + count + "-" + database.toLowerCase(Locale.ROOT),
                        plans.stream().filter(plan -> plan.partitions == count).toList()));
            }
        }
        results.addAll(heap(checkout, repeats, progress));
        return results;
    }

    static List<BenchResult> results(String name, List<Plan> plans)
    {
        List<BenchResult> results = new ArrayList<>();
        for (String peer : List.of("none", "ttl-cache")) {
            results.add(result(plans, name, "cold", "plan-time", "s", peer, Plan::seconds));
            results.add(result(plans, name, "cold", "metastore-calls", "1", peer, Plan::calls));
            BenchResult warmTime = result(plans, name, "warm", "plan-time", "s", peer, Plan::seconds);
            results.add(peer.equals("none") ? warmTime.withBar(WARM_SPEED) : warmTime);
            results.add(result(plans, name, "warm", "metastore-calls", "1", peer, Plan::calls).withBarOfOurs(WARM_CALLS, false));
        }
        results.add(result(plans, name, "one-changed", "plan-time", "s", "none", Plan::seconds));
        results.add(result(plans, name, "one-changed", "metastore-calls", "1", "none", Plan::calls));
        results.add(result(plans, name, "one-changed", "partitions-fetched", "1", "none", Plan::fetched).withBarOfOurs(1.0, false));
        BenchResult restarted = result(plans, name, "restarted", "plan-time", "s", "none", Plan::seconds);
        results.add(name.contains(LARGE) ? restarted.withBarOfOurs(RESTARTED_SECONDS, false) : restarted);
        results.add(result(plans, name, "restarted", "partitions-fetched", "1", "none", Plan::fetched).withBarOfOurs(0.0, false));
        return results;
    }

    private static BenchResult result(List<Plan> plans, String name, String state, String metric, String unit, String peer,
            Function<Plan, Double> value)
    {
        return BenchResult.lessIsBetter(
                new Question(name + "-" + state, metric, unit, peer),
                values(plans, "ours", state, value),
                values(plans, peer, state, value),
                null);
    }

    private static List<Double> values(List<Plan> plans, String variant, String state, Function<Plan, Double> value)
    {
        return plans.stream().filter(plan -> plan.variant.equals(variant) && plan.state.equals(state)).map(value).toList();
    }

    private List<BenchResult> heap(Checkout checkout, int repeats, Consumer<String> progress)
    {
        progress.accept("Memory of " + keptPartitions + " partitions");
        List<HeapRun> ours = new ArrayList<>();
        List<HeapRun> peer = new ArrayList<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
            int planned = Math.min(PLANNED_PARTITIONS, keptPartitions / PEERS_PART);
            ours.add(measured(checkout, "ours", keptPartitions, planned, progress));
            peer.add(measured(checkout, "ttl-cache", keptPartitions / PEERS_PART, planned, progress));
        }
        Question heap = new Question("partitions-1M", "heap", "B", "ttl-cache");
        Question plan = new Question("partitions-1M", "plan-time", "s", "ttl-cache");
        List<Double> ourBytes = ours.stream().map(HeapRun::bytes).toList();
        List<Double> peersBytes = peer.stream().map(run -> PEERS_PART * run.bytes).toList();
        return List.of(
                BenchResult.lessIsBetter(heap, ourBytes, peersBytes, null).withBarOfOurs(KEPT_BYTES * keptPartitions / KEPT_PARTITIONS, false),
                BenchResult.lessIsBetter(plan, ours.stream().map(HeapRun::seconds).toList(), peer.stream().map(HeapRun::seconds).toList(), null)
                        .withBarOfOurs(PLAN_SECONDS, false));
    }

    private static HeapRun measured(Checkout checkout, String variant, int partitions, int planned, Consumer<String> progress)
    {
        List<String> arguments = List.of("heap", variant, Integer.toString(partitions), Integer.toString(planned));
        List<Double> values = inNewJvm(checkout, arguments, progress).stream()
                .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
                .toList();
        return new HeapRun(values.get(0), values.get(1) / MILLIS_PER_SECOND);
    }

    /** The cost of cached partitions: the bytes of all, and the time in which a plan gets some of them. */
    private record HeapRun(double bytes, double seconds)
    {}

    private static List<String> inNewJvm(Checkout checkout, List<String> arguments, Consumer<String> progress)
    {
        return new PluginJvm(checkout, "cache-metastore/target/test-classes", MAIN).run(arguments, List.of("ours ", "none ", "ttl-cache "), progress);
    }

    /** A line of the measurement: the time of a plan, the number of its calls, and the number of partitions that they fetched. */
    record Plan(String variant, int partitions, String state, double seconds, double calls, double fetched)
    {
        Plan
        {
            requireNonNull(variant, "variant is null");
            requireNonNull(state, "state is null");
        }

        static Plan of(String line)
        {
            String[] words = line.split(" ", -1);
            return new Plan(
                    words[0],
                    Integer.parseInt(words[1]),
                    words[2],
                    Double.parseDouble(words[3]) / 1000,
                    Double.parseDouble(words[4]),
                    Double.parseDouble(words[5]));
        }
    }
}
