package io.eyrie.affinity.simulation;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A day of a cluster that breathes: from 20 nodes at night to 60 by day and back, one node at a time; work in proportion to the nodes; files of one size, read by Zipf's law.
 * The same for the same parameters.
 *
 * @param files how many files there are
 * @param readsPerNodeMinute how many files a node reads in a minute
 * @param zipfExponent how skewed the reads are
 * @param cachedFilesPerNode how many files a node's cache holds
 * @param seed of the reads
 */
public record DayTrace(int files, int readsPerNodeMinute, double zipfExponent, int cachedFilesPerNode, long seed)
{
    static final int MINUTES = 24 * 60;
    static final int FEWEST = 20;
    static final int MOST = 60;

    /** The working set fits the caches of the fewest nodes with a quarter to spare. */
    public static final DayTrace DEFAULT = new DayTrace(20_000, 40, 0.9, 1250, 6);

    /** How many nodes there are: they join from 06:00 to 10:00 and leave from 18:00 to 22:00, one in six minutes. */
    static int nodesAt(int minute)
    {
        int joined = Math.min(MOST - FEWEST, Math.max(0, (minute - 6 * 60) / 6));
        int left = Math.min(MOST - FEWEST, Math.max(0, (minute - 18 * 60) / 6));
        return FEWEST + joined - left;
    }

    /** The cumulative distribution of Zipf's law over so many ranks. */
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

    /** A rank drawn from a cumulative distribution. */
    static int draw(double[] cumulative, SplittableRandom random)
    {
        int index = Arrays.binarySearch(cumulative, random.nextDouble());
        return Math.min(index < 0 ? ~index : index, cumulative.length - 1);
    }
}
