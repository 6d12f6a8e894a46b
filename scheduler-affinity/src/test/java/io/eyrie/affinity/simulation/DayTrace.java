// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.simulation;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A day of a cluster with autoscaling: from 20 nodes at night to 60 by day and back, one node at a time. The work is proportional to the nodes. All
 * files have the same size, and reads follow Zipf's law. The same parameters give the same day.
 *
 * @param files the number of files
 * @param readsPerNodeMinute the number of files that a node reads per minute
 * @param zipfExponent the skew of the reads
 * @param cachedFilesPerNode the number of files that a node's cache holds
 * @param seed of the reads
 */
public record DayTrace(int files, int readsPerNodeMinute, double zipfExponent, int cachedFilesPerNode, long seed)
{
    static final int MINUTES = 24 * 60;
    static final int FEWEST = 20;
    static final int MOST = 60;

    /** The caches of the fewest nodes hold the working set with a quarter to spare. */
    public static final DayTrace DEFAULT = new DayTrace(20_000, 40, 0.9, 1250, 6);

    /** Returns the number of nodes: they join from 06:00 to 10:00 and leave from 18:00 to 22:00, one every six minutes. */
    static int nodesAt(int minute)
    {
        int joined = Math.min(MOST - FEWEST, Math.max(0, (minute - 6 * 60) / 6));
        int left = Math.min(MOST - FEWEST, Math.max(0, (minute - 18 * 60) / 6));
        return FEWEST + joined - left;
    }

    /** Returns the cumulative distribution of Zipf's law over {@code ranks} ranks. */
    static double[] zipf(int ranks, double exponent)
    {
        double[] cumulative = new double[ranks];
        double sum = 0;
        for (int i = 0; i < ranks; i++) {
            sum += Math.pow(i + 1, -exponent);
            cumulative[i] = sum;
        }
        for (int i = 0; i < ranks; i++) {
            cumulative[i] /= sum;
        }
        return cumulative;
    }

    /** Draws a rank from a cumulative distribution. */
    static int draw(double[] cumulative, SplittableRandom random)
    {
        int index = Arrays.binarySearch(cumulative, random.nextDouble());
        return Math.min(index < 0 ? ~index : index, cumulative.length - 1);
    }
}
