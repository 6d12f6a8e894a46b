// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks;

import java.util.List;

/** Computes medians of repeated measurements. */
public final class Medians
{
    private Medians()
    {}

    /** Returns the middle value, or the mean of the two middle ones. */
    public static double median(List<Double> values)
    {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("No values have no median");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
