// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.benchmarks.Medians;
import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

import static java.util.Objects.requireNonNull;

/**
 * A result of a benchmark, against one peer.
 *
 * @param name the item that was measured within the benchmark, such as a query
 * @param metric the quantity, {@code unit} its unit; {@code ours} and {@code peer} are medians over the repeats
 * @param ratio how many times better Eyrie is than the peer
 * @param spread the least and the largest ratio of one repeat
 * @param bar the required ratio or, if the question is only about Eyrie, the required value; null for none. {@code holds} is whether it is reached,
 * null without a bar
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record BenchResult(
        String name,
        String metric,
        String unit,
        double ours,
        String peerName,
        double peer,
        double ratio,
        List<Double> spread,
        @Nullable Double bar,
        @Nullable Boolean holds)
{
    public BenchResult
    {
        requireNonNull(name, "name is null");
        requireNonNull(metric, "metric is null");
        requireNonNull(unit, "unit is null");
        requireNonNull(peerName, "peerName is null");
        spread = List.copyOf(spread);
    }

    /** The comparison: its name, the quantity, its unit, and the peer. */
    public record Question(String name, String metric, String unit, String peerName)
    {}

    /** Creates a result of interleaved repeats of a quantity of which less is better; {@code ours} and {@code peer} have one value per repeat. */
    public static BenchResult lessIsBetter(Question question, List<Double> ours, List<Double> peer, @Nullable Double bar)
    {
        return of(question, ours, peer, bar, (our, theirs) -> quotient(theirs, our));
    }

    /** As {@link #lessIsBetter}, of a quantity of which more is better. */
    public static BenchResult moreIsBetter(Question question, List<Double> ours, List<Double> peer, @Nullable Double bar)
    {
        return of(question, ours, peer, bar, (our, theirs) -> quotient(our, theirs));
    }

    /** Creates a result whose ratio is Eyrie's cost divided by the peer's. Less is better, and the bar is a maximum. */
    public static BenchResult cost(Question question, List<Double> ours, List<Double> peer, @Nullable Double mostRatio)
    {
        BenchResult result = of(question, ours, peer, null, (our, theirs) -> quotient(our, theirs));
        return mostRatio == null
                ? result
                : new BenchResult(
                        result.name, result.metric, result.unit, result.ours, result.peerName, result.peer, result.ratio, result.spread, mostRatio,
                        result.ratio <= mostRatio);
    }

    /** As {@link #lessIsBetter}, of a quantity of which more is better, without a bar. */
    static BenchResult moreIsBetter(Question question, List<Double> ours, List<Double> peer)
    {
        return moreIsBetter(question, ours, peer, null);
    }

    /** Returns the same result with a bar of {@code ours} in place of one of the ratio; null removes the bar. */
    public BenchResult withBarOfOurs(@Nullable Double value, boolean atLeast)
    {
        Boolean reached = value == null ? null : Boolean.valueOf(atLeast ? ours >= value : ours <= value);
        return new BenchResult(name, metric, unit, ours, peerName, peer, ratio, spread, value, reached);
    }

    private static BenchResult of(
            Question question,
            List<Double> ours,
            List<Double> peer,
            @Nullable Double bar,
            DoubleBinaryOperator timesBetter)
    {
        if (ours.isEmpty() || ours.size() != peer.size()) {
            throw new IllegalArgumentException(ours.size() + " repeats of ours, " + peer.size() + " of " + question.peerName());
        }
        List<Double> ratios = IntStream.range(0, ours.size())
                .mapToObj(repeat -> timesBetter.applyAsDouble(ours.get(repeat), peer.get(repeat)))
                .toList();
        double ourMedian = Medians.median(ours);
        double peerMedian = Medians.median(peer);
        double ratio = timesBetter.applyAsDouble(ourMedian, peerMedian);
        return new BenchResult(
                question.name(),
                question.metric(),
                question.unit(),
                ourMedian,
                question.peerName(),
                peerMedian,
                ratio,
                List.of(Collections.min(ratios), Collections.max(ratios)),
                bar,
                bar == null ? null : ratio >= bar);
    }

    /* Nothing on both sides, such as failures, is equally good. */
    private static double quotient(double dividend, double divisor)
    {
        return dividend == 0 && divisor == 0 ? 1 : dividend / divisor;
    }

    /** Returns the same result with another bar. */
    public BenchResult withBar(double newBar)
    {
        return new BenchResult(name, metric, unit, ours, peerName, peer, ratio, spread, newBar, ratio >= newBar);
    }

    /** Returns the same result with another bar, where {@code reached} replaces the comparison with the ratio. */
    public BenchResult withBar(double newBar, boolean reached)
    {
        return new BenchResult(name, metric, unit, ours, peerName, peer, ratio, spread, newBar, reached);
    }

    /** Returns the same result with its bar not reached, for a reason other than the ratio. */
    public BenchResult failed()
    {
        return new BenchResult(name, metric, unit, ours, peerName, peer, ratio, spread, bar, false);
    }
}
