// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.AffinityCluster.Variant;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.testing.lake.Checkout;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import static java.util.Objects.requireNonNull;

/**
 * Question: is each file cached once, does a second pass find it there, and how many bytes must be read again when a worker dies and another one
 * joins? Baseline: Presto's own Hive connector with Alluxio's cache, scheduled by modular and by consistent hashing. Command:
 * {@code bin/bench affinity}.
 */
public final class AffinityBenchmark
        implements Benchmark
{
    /*
     * Clusters    One per kind of hashing, which is a property of the coordinator. In each, Eyrie and the peer run in turn over their own tables,
     *             made of the same files.
     * Sizes       The caches of four workers hold the working set 1.45 times: not twice.
     * Kill        Queries of both run while a worker is killed; the next pass measures what moved. After passes until nothing more is read from the
     *             store, a worker that was never in the cluster joins, and the next pass measures again. The larger of the two is the result.
     * Bars        Of Eyrie's values, not of the ratio.
     */
    private static final double BAR_SSD_BYTES = 1.05;
    private static final double BAR_SECOND_PASS = 0.98;
    private static final double BAR_REMOTE = 1.2 / AffinityCluster.WORKERS;
    private static final String NAME = "four-workers";

    /** The measurements of one system in one cluster, as fractions of the bytes of its files. */
    record Passes(double cold, double warm, double ssd, double afterKill, double afterJoin)
    {
        double secondPassHitRatio()
        {
            return Math.max(0, 1 - warm);
        }

        double remoteAfterChange()
        {
            return Math.max(afterKill, afterJoin);
        }
    }

    /** Eyrie and the peer, in one cluster. */
    record Pair(Passes ours, Passes peer)
    {}

    @Override
    public String name()
    {
        return "affinity";
    }

    @Override
    public String question()
    {
        return "bytes on SSDs, hits of the second pass and bytes that move when a worker dies and another joins, four workers, against stock's hashing";
    }

    @Override
    public int repeats(boolean quick)
    {
        return 1;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        List<BenchResult> results = new ArrayList<>();
        for (String hashing : List.of("MODULAR_HASHING", "CONSISTENT_HASHING")) {
            List<Pair> pairs = new ArrayList<>();
            for (int repeat = 0; repeat < repeats; repeat++) {
                pairs.add(run(checkout, hashing, progress));
            }
            results.addAll(results(hashing.equals("MODULAR_HASHING") ? "stock-modular" : "stock-ring", pairs));
        }
        return results;
    }

    private static Pair run(Checkout checkout, String hashing, Consumer<String> progress)
    {
        progress.accept(hashing);
        try (AffinityCluster cluster = AffinityCluster.start(checkout, hashing, progress)) {
            Map<Variant, Double> cold = ofEach(cluster::pass);
            Map<Variant, Double> warm = ofEach(cluster::pass);
            Map<Variant, Double> ssd = ofEach(cluster::ssdShare);
            cluster.killWorkerUnderQueries();
            Map<Variant, Double> afterKill = ofEach(cluster::pass);
            for (Variant variant : Variant.values()) {
                cluster.settle(variant);
            }
            cluster.joinWorker();
            Map<Variant, Double> afterJoin = ofEach(cluster::pass);
            Function<Variant, Passes> passes = variant -> new Passes(
                    requireNonNull(cold.get(variant)),
                    requireNonNull(warm.get(variant)),
                    requireNonNull(ssd.get(variant)),
                    requireNonNull(afterKill.get(variant)),
                    requireNonNull(afterJoin.get(variant)));
            Pair pair = new Pair(passes.apply(Variant.OURS), passes.apply(Variant.STOCK));
            progress.accept(hashing + ": " + pair);
            return pair;
        }
    }

    private static Map<Variant, Double> ofEach(ToDoubleFunction<Variant> measure)
    {
        Map<Variant, Double> values = new EnumMap<>(Variant.class);
        for (Variant variant : Variant.values()) {
            values.put(variant, measure.applyAsDouble(variant));
        }
        return values;
    }

    /** Returns the results against one peer, from one pair per repeat. */
    static List<BenchResult> results(String peer, List<Pair> pairs)
    {
        return List.of(
                BenchResult.lessIsBetter(question("ssd-over-distinct-bytes", peer), ours(pairs, Passes::ssd), theirs(pairs, Passes::ssd), null)
                        .withBarOfOurs(BAR_SSD_BYTES, false),
                BenchResult.moreIsBetter(
                        question("second-pass-hit-ratio", peer),
                        ours(pairs, Passes::secondPassHitRatio),
                        theirs(pairs, Passes::secondPassHitRatio)).withBarOfOurs(BAR_SECOND_PASS, true),
                BenchResult.lessIsBetter(
                        question("remote-after-kill", peer),
                        ours(pairs, Passes::remoteAfterChange),
                        theirs(pairs, Passes::remoteAfterChange),
                        null).withBarOfOurs(BAR_REMOTE, false));
    }

    private static Question question(String metric, String peer)
    {
        return new Question(NAME, metric, "1", peer);
    }

    private static List<Double> ours(List<Pair> pairs, ToDoubleFunction<Passes> value)
    {
        return pairs.stream().map(pair -> value.applyAsDouble(pair.ours())).toList();
    }

    private static List<Double> theirs(List<Pair> pairs, ToDoubleFunction<Passes> value)
    {
        return pairs.stream().map(pair -> value.applyAsDouble(pair.peer())).toList();
    }
}
