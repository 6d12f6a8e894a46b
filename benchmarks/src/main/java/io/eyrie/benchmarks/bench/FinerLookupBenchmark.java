// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.testing.lake.Checkout;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Question: how much processor time does a split without a result cost because results of finer groups are looked up, too? Baseline: the same lookup
 * without them. Command: {@code bin/bench finer-lookup}.
 */
public final class FinerLookupBenchmark
        implements Benchmark
{
    /*
     * Lookup    A JVM with the plugin's class path looks up 2,000 splits in an empty store, with two groupings that may have finer results, which is the
     *           most that a split looks up, and without groupings, in turn.
     * Bar       Of the time that is added to a split, not of the ratio.
     */
    private static final int REPEATS = 9;
    private static final int QUICK_REPEATS = 3;
    private static final double MOST_ADDED_MICROS = 10;
    private static final String NAME = "two-finer-absent";
    private static final String PEER = "without";
    private static final String MAIN = "io.eyrie.presto.fragment.FinerLookupMeasurement";

    @Override
    public String name()
    {
        return "finer-lookup";
    }

    @Override
    public String question()
    {
        return "processor time of a split's lookup that finds neither its result nor one of finer groups, against the lookup without finer groups";
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public List<BenchResult> run(Checkout checkout, int repeats, Consumer<String> progress)
    {
        List<String> lines = new PluginJvm(checkout, "presto-plugin/target/test-classes", MAIN).run(List.of(Integer.toString(repeats)), List.of(
                "ours ",
                PEER + " "), progress);
        return results(micros(lines, "ours "), micros(lines, PEER + " "));
    }

    private static List<Double> micros(List<String> lines, String prefix)
    {
        return lines.stream().filter(line -> line.startsWith(prefix)).map(line -> Double.valueOf(line.substring(prefix.length()))).toList();
    }

    static List<BenchResult> results(List<Double> with, List<Double> without)
    {
        List<Double> added = IntStream.range(0, with.size()).mapToObj(repeat -> with.get(repeat) - without.get(repeat)).toList();
        return List.of(
                BenchResult.cost(new Question(NAME, "lookup-time", "µs", PEER), with, without, null),
                BenchResult.cost(new Question(NAME, "added-time", "µs", PEER), added, without, null).withBarOfOurs(MOST_ADDED_MICROS, false));
    }
}
