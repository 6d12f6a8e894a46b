package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.testing.lake.Checkout;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Question: what does a plan over many partitions ask the metastore, how long does that take, and what does it cost to keep them? Baseline: no cache, and Presto's own with a TTL of a
 * day. Command: {@code bin/bench metadata}.
 */
final class MetadataBenchmark
        implements Benchmark
{
    /*
     * Plans     A JVM with the plugin's class path asks a real metastore (Derby, MariaDB) as Presto's planner does: cold, warm, after one partition was altered by another client. Ours and
     *           the peers in turn.
     * Calls     Bar of ours. What was altered must be the one partition fetched. Presto's own cache does not see the change at all; it is no peer there.
     * Heap      A million partitions of 100 columns in ours. Presto's own would take 15 GB of them: it is measured with a hundredth of them, and multiplied.
     */
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 1;
    private static final List<String> DATABASES = List.of("DERBY", "MARIADB");
    private static final List<Integer> PARTITIONS = List.of(1000, 10_000);
    private static final int KEPT_PARTITIONS = 1_000_000;
    private static final int PEERS_PART = 100;
    private static final double WARM_CALLS = 2;
    private static final double WARM_SPEED = 10;
    private static final double HEAP = 3;
    private static final String MAIN = "io.eyrie.metastore.PlanMeasurement";

    private final List<String> databases;
    private final List<Integer> partitions;
    private final int keptPartitions;

    MetadataBenchmark()
    {
        this(DATABASES, PARTITIONS, KEPT_PARTITIONS);
    }

    MetadataBenchmark(List<String> databases, List<Integer> partitions, int keptPartitions)
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
                results.addAll(results(plans.stream().filter(plan -> plan.partitions == count).toList(), "partitions-" + count + "-" + database
                        .toLowerCase(
                                Locale.ROOT)));
            }
        }
        results.add(heap(checkout, repeats, progress));
        return results;
    }

    private static List<BenchResult> results(List<Plan> plans, String name)
    {
        List<BenchResult> results = new ArrayList<>();
        for (String state : List.of("cold", "warm", "one-changed")) {
            for (String peer : state.equals("one-changed") ? List.of("none") : List.of("none", "ttl-cache")) {
                boolean barred = state.equals("warm") && peer.equals("none");
                results.add(result(plans, name + "-" + state, "plan-time", "s", peer, Plan::seconds, barred ? WARM_SPEED : null));
                BenchResult calls = result(plans, name + "-" + state, "metastore-calls", "1", peer, plan -> plan.calls, null);
                if (state.equals("warm")) {
                    calls = calls.withBarOfOurs(WARM_CALLS, false);
                }
                results.add(state.equals("one-changed") && !plans.stream().allMatch(Plan::fetchedWhatChanged) ? calls.failed() : calls);
            }
        }
        return results;
    }

    private static BenchResult result(List<Plan> plans, String name, String metric, String unit, String peer, Function<Plan, Double> value,
            @Nullable Double bar)
    {
        return BenchResult.lessIsBetter(new Question(name, metric, unit, peer), values(plans, "ours", name, value), values(plans, peer, name, value),
                bar);
    }

    private static List<Double> values(List<Plan> plans, String variant, String name, Function<Plan, Double> value)
    {
        return plans.stream().filter(plan -> plan.variant.equals(variant) && name.endsWith("-" + plan.state)).map(value).toList();
    }

    private BenchResult heap(Checkout checkout, int repeats, Consumer<String> progress)
    {
        progress.accept("Memory of " + keptPartitions + " partitions");
        List<Double> ours = new ArrayList<>();
        List<Double> peer = new ArrayList<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
            ours.add(heap(checkout, "ours", keptPartitions, progress));
            peer.add(PEERS_PART * heap(checkout, "ttl-cache", keptPartitions / PEERS_PART, progress));
        }
        return BenchResult.lessIsBetter(new Question("partitions-1M", "heap", "B", "ttl-cache"), ours, peer, HEAP);
    }

    private static double heap(Checkout checkout, String variant, int partitions, Consumer<String> progress)
    {
        String line = inNewJvm(checkout, List.of("heap", variant, Integer.toString(partitions)), progress).get(0);
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }

    private static List<String> inNewJvm(Checkout checkout, List<String> arguments, Consumer<String> progress)
    {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx4g",
                "-Dslf4j.internal.verbosity=ERROR",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "-cp",
                String.join(
                        ":",
                        checkout.eyriePlugin() + "/*",
                        checkout.root().resolve("cache-metastore/target/test-classes").toString(),
                        checkout.root().resolve("testing/target/classes").toString(),
                        checkout.engineLib() + "/*"),
                MAIN));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            List<String> lines = new ArrayList<>();
            try (BufferedReader output = process.inputReader(UTF_8)) {
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    progress.accept(line);
                    if (Stream.of("ours ", "none ", "ttl-cache ").anyMatch(line::startsWith)) {
                        lines.add(line);
                    }
                }
            }
            finally {
                process.destroy();
            }
            if (process.waitFor() != 0 || lines.isEmpty()) {
                throw new IllegalStateException(String.join(" ", arguments) + " failed");
            }
            return lines;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while it measures", e);
        }
    }

    /** A line of the measurement. */
    private record Plan(String variant, int partitions, String state, double millis, double calls, long fetched)
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
                    Double.parseDouble(words[3]),
                    Double.parseDouble(words[4]),
                    Long.parseLong(words[5]));
        }

        double seconds()
        {
            return millis / 1000;
        }

        boolean fetchedWhatChanged()
        {
            return !variant.equals("ours") || !state.equals("one-changed") || fetched == 1;
        }
    }
}
