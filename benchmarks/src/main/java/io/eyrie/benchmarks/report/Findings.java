// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/** Collects the measurements of a cell. Not thread-safe. */
final class Findings
{
    /** The variant name of Eyrie's values. */
    static final String OURS = "ours";
    /** The end of the names of rows with geometric means. */
    static final String MEAN = "-geomean";

    private static final double NANOS_PER_SECOND = 1e9;

    private final Map<String, Samples> samples = new LinkedHashMap<>();
    private final List<BenchResult> results = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    /** By row and metric, then by variant. */
    private final Map<String, Map<String, String>> profiles = new HashMap<>();
    private final Consumer<String> progress;

    Findings(Consumer<String> progress)
    {
        this.progress = requireNonNull(progress, "progress is null");
    }

    /** Adds a value of a variant. */
    void add(String name, String metric, String unit, String variant, double value)
    {
        progress.accept(String.format(Locale.ROOT, "%s %s, %s: %.3f %s", name, metric, variant, value, unit));
        samples.merge(name + " " + metric, new Samples(name, metric, unit).plus(variant, value), (before, one) -> before.plus(variant, value));
    }

    /** Adds the wall time of a query, in seconds, as its client measured it. Returns the query's result. */
    QueryResult time(String name, String metric, String variant, QueryResult result, PrestoClient client)
    {
        add(name, metric, "s", variant, result.wallTime().toNanos() / NANOS_PER_SECOND);
        profile(name, metric, variant, QueryProfile.of(client.statistics(result)));
        return result;
    }

    /** Records where a variant's query spent its time, replacing the previous record. */
    void profile(String name, String metric, String variant, String profile)
    {
        profiles.computeIfAbsent(name + " " + metric, ignored -> new HashMap<>()).put(variant, profile);
    }

    /** For each row that misses its bar, notes where the last query of Eyrie and of the peer spent its time. */
    void noteProfiles()
    {
        for (BenchResult result : results) {
            Map<String, String> profile = profiles.get(result.name() + " " + result.metric());
            if (Boolean.FALSE.equals(result.holds()) && profile != null) {
                for (String variant : List.of(OURS, result.peerName())) {
                    if (profile.containsKey(variant)) {
                        note(result.name() + " " + result.metric() + ", the last of " + variant + ": " + profile.get(variant));
                    }
                }
            }
        }
    }

    /** Returns the values of a quantity so far. */
    Samples samples(String name, String metric)
    {
        return requireNonNull(samples.get(name + " " + metric), () -> name + " " + metric + " was not measured");
    }

    /** Compares Eyrie with a peer; less is better. A bar is the least ratio. */
    BenchResult compare(String name, String metric, String peer, @Nullable Double bar)
    {
        Samples of = samples(name, metric);
        return add(BenchResult.lessIsBetter(new Question(name, metric, of.unit(), peer), of.of(OURS), of.of(peer), bar));
    }

    /** As {@link #compare}; misses the bar only if a 95 % interval of the ratio lies below it. */
    BenchResult compareSurely(String name, String metric, String peer, double bar)
    {
        BenchResult result = compare(name, metric, peer, null);
        Samples of = samples(name, metric);
        BenchResult judged = result.withBar(bar, Interval.ofRatio(of.of(OURS), of.of(peer)).high() >= bar);
        replace(result, judged);
        return judged;
    }

    /** Adds, for each metric and each variant that all of these rows have, the geometric means over the rows, one for each repeat, as a row of the cell. */
    void addMeans(String cell, List<String> rows, List<String> metrics)
    {
        for (String metric : metrics) {
            Samples first = samples(rows.get(0), metric);
            first.values().forEach((variant, repeats) -> {
                if (rows.stream().allMatch(row -> samples(row, metric).values().containsKey(variant))) {
                    IntStream.range(0, repeats.size()).forEach(repeat -> {
                        double logarithms = rows.stream().mapToDouble(row -> Math.log(samples(row, metric).of(variant).get(repeat))).average()
                                .orElseThrow();
                        add(cell + MEAN, metric, first.unit(), variant, Math.exp(logarithms));
                    });
                }
            });
        }
    }

    /** Adds a result that was created elsewhere. */
    BenchResult add(BenchResult result)
    {
        results.add(result);
        return result;
    }

    /** Replaces a result by another, such as one with a bar. */
    void replace(BenchResult before, BenchResult after)
    {
        results.set(results.indexOf(before), after);
    }

    /** Notes a fact that the figures do not show. */
    void note(String sentence)
    {
        progress.accept(sentence);
        notes.add(sentence);
    }

    List<Samples> samples()
    {
        return List.copyOf(samples.values());
    }

    List<BenchResult> results()
    {
        return List.copyOf(results);
    }

    List<String> notes()
    {
        return List.copyOf(notes);
    }
}
