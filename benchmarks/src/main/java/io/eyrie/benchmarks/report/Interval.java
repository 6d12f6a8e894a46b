// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.Medians;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A bootstrap 95 % interval of the ratio of the medians of two samples.
 *
 * @param low the 2.5th percentile of the ratios over resamples; {@code high} is the 97.5th
 */
record Interval(double low, double high)
{
    private static final int RESAMPLES = 2000;
    private static final long SEED = 1;

    /** Returns the interval of {@code peer / ours}: how many times better Eyrie is if less is better. The same samples give the same interval. */
    static Interval ofRatio(List<Double> ours, List<Double> peer)
    {
        Random random = new Random(SEED);
        double[] ratios = IntStream.range(0, RESAMPLES).mapToDouble(any -> resampled(peer, random) / resampled(ours, random)).sorted().toArray();
        return new Interval(ratios[RESAMPLES / 40], ratios[RESAMPLES - 1 - RESAMPLES / 40]);
    }

    private static double resampled(List<Double> values, Random random)
    {
        return Medians.median(IntStream.range(0, values.size()).mapToObj(any -> values.get(random.nextInt(values.size()))).toList());
    }
}
