// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.affinity.simulation.DayTrace;
import io.eyrie.affinity.simulation.PlacementSimulation;
import io.eyrie.affinity.simulation.PlacementSimulation.Day;
import io.eyrie.affinity.simulation.PlacementSimulation.Movement;
import io.eyrie.affinity.simulation.PlacementStrategy;
import io.eyrie.affinity.simulation.Placements;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.testing.lake.Checkout;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Question: how even, how stable and how cheap is the placement of files, and how much does a day of autoscaling cost the caches? Baseline: Presto's
 * modular and consistent hashing, with classes from the engine's jars. It is a simulation without a cluster. Command: {@code bin/bench placement}.
 */
public final class PlacementBenchmark
        implements Benchmark
{
    /*
     * Repeats     Only of the cost; all other values are the same in every run. Eyrie and the peers run in turn.
     * Bars        Of Eyrie's values, not of the ratio.
     */
    private static final int KEYS = 1_000_000;
    private static final int MOVED_KEYS = KEYS / 4;
    private static final int MOVES = 4;
    private static final int TIMED_SPLITS = 200_000;
    private static final double ZIPF_EXPONENT = 1.1;
    private static final long ZIPF_SEED = 6;
    private static final int CHANCES = 5;
    private static final double BAR_OVER_CHANCE = 1.2;
    private static final double BAR_ZIPF = 1.10;
    private static final double BAR_MOVED = 1.05;
    private static final Map<Integer, Double> BAR_MICROS = Map.of(128, 0.3, 1000, 2.0);
    private static final double BAR_DAY_POINTS = 0.03;

    @Override
    public String name()
    {
        return "placement";
    }

    @Override
    public String question()
    {
        return "balance, movement and cost of placing files, and a day of autoscaling, simulated, against Presto's modular and consistent hashing";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? 1 : 5;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        try (EngineHashing engine = new EngineHashing(checkout.engineLib())) {
            Map<String, PlacementStrategy.Factory> peers = new LinkedHashMap<>();
            peers.put("modular", engine::modular);
            peers.put("ring", engine::ring);
            List<BenchResult> results = new ArrayList<>();
            for (int nodes : List.of(8, 128, 1000)) {
                progress.accept(nodes + " nodes");
                results.addAll(ofNodes(nodes, peers, repeats));
            }
            progress.accept("a day of autoscaling");
            results.addAll(day(peers));
            return results;
        }
    }

    private static List<BenchResult> ofNodes(int nodes, Map<String, PlacementStrategy.Factory> peers, int repeats)
    {
        PlacementSimulation ours = new PlacementSimulation(Placements::eyrie);
        String name = "nodes-" + nodes;
        double byChance = 0;
        for (int seed = 0; seed < CHANCES; seed++) {
            byChance += new PlacementSimulation(Placements.random(seed)).keysPerNode(nodes, KEYS).maxOverMean() / CHANCES;
        }
        double keys = ours.keysPerNode(nodes, KEYS).maxOverMean();
        double zipf = ours.zipfLoad(nodes, KEYS, KEYS, ZIPF_EXPONENT, ZIPF_SEED).maxOverMean();
        Movement moved = ours.movement(nodes, MOVED_KEYS, MOVES);
        List<BenchResult> results = new ArrayList<>();
        for (Map.Entry<String, PlacementStrategy.Factory> entry : peers.entrySet()) {
            String peer = entry.getKey();
            PlacementSimulation theirs = new PlacementSimulation(entry.getValue());
            Movement theirMoved = theirs.movement(nodes, MOVED_KEYS, MOVES);
            results.add(once(new Question(name, "max-over-mean-keys", "1", peer), keys, theirs.keysPerNode(nodes, KEYS).maxOverMean(), BAR_OVER_CHANCE
                    * byChance));
            results.add(once(new Question(name, "max-over-mean-zipf", "1", peer), zipf, theirs.zipfLoad(nodes, KEYS, KEYS, ZIPF_EXPONENT, ZIPF_SEED)
                    .maxOverMean(), BAR_ZIPF));
            results.add(once(new Question(name, "moved-on-join", "1", peer), moved.onJoin(), theirMoved.onJoin(), BAR_MOVED));
            results.add(once(new Question(name, "moved-on-leave", "1", peer), moved.onLeave(), theirMoved.onLeave(), BAR_MOVED));
        }
        results.addAll(costs(nodes, peers, repeats));
        return results;
    }

    private static List<BenchResult> costs(int nodes, Map<String, PlacementStrategy.Factory> peers, int repeats)
    {
        List<Double> ours = new ArrayList<>();
        Map<String, List<Double>> theirs = new LinkedHashMap<>();
        for (int repeat = 0; repeat < repeats; repeat++) {
            ours.add(micros(Placements::eyrie, nodes));
            peers.forEach((peer, factory) -> theirs.computeIfAbsent(peer, ignored -> new ArrayList<>()).add(micros(factory, nodes)));
        }
        List<BenchResult> results = new ArrayList<>();
        theirs.forEach((peer, costs) -> results.add(BenchResult.lessIsBetter(new Question("nodes-" + nodes, "time-per-split", "µs", peer), ours,
                costs,
                null)
                .withBarOfOurs(BAR_MICROS.get(nodes), false)));
        return results;
    }

    private static double micros(PlacementStrategy.Factory placements, int nodes)
    {
        return new PlacementSimulation(placements).cost(nodes, TIMED_SPLITS).microsPerSplit();
    }

    private static List<BenchResult> day(Map<String, PlacementStrategy.Factory> peers)
    {
        Day ours = new PlacementSimulation(Placements::eyrie).autoscalingDay(DayTrace.DEFAULT);
        double never = Math.max(ours.hitRatioOfTheFewest(), ours.hitRatioOfTheMost());
        Map<String, Double> hitRatios = new LinkedHashMap<>();
        hitRatios.put("static", never);
        peers.forEach((peer, factory) -> hitRatios.put(peer, new PlacementSimulation(factory).autoscalingDay(DayTrace.DEFAULT).hitRatio()));
        List<BenchResult> results = new ArrayList<>();
        hitRatios.forEach((peer, hitRatio) -> results.add(BenchResult.moreIsBetter(
                new Question("autoscaling-day", "hit-ratio", "1", peer),
                List.of(ours.hitRatio()),
                List.of(hitRatio)).withBarOfOurs(never - BAR_DAY_POINTS, true)));
        return Collections.unmodifiableList(results);
    }

    private static BenchResult once(Question question, double ours, double peer, @Nullable Double bar)
    {
        return BenchResult.lessIsBetter(question, List.of(ours), List.of(peer), null).withBarOfOurs(bar, false);
    }
}
