// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.rendezvous;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Weighted rendezvous hashing [1] over a fixed list of nodes, which are workers or disks: each node has a score for each key, and the best score wins. A node
 * that joins takes keys, a node that leaves gives keys; no key moves between two others. A node is identified by its index in the list.
 *
 * <p>Immutable, thread-safe. Lookups allocate nothing.
 */
public final class Rendezvous
{
    /*
     * Score       u = hash(node, key) as a uniform number; a node of weight w scores w / -ln(u), so that it wins w / sum(w) of the keys [2]
     * Classes     The list is sorted by weight class. Within a class the highest hash has the highest score, so one pass compares integers, and one logarithm a
     *             class decides between the winners of the classes
     * Steps       Weights are rounded to 16 steps an octave (at most 2.2 % off), so there are few classes, and a capacity that varies by less than a step moves
     *             nothing
     * Cost        O(nodes): two products, two shifts and a comparison a node
     * Ties        The lower index wins; scores are 64 bits
     *
     * [1] Thaler, Ravishankar, Using Name-Based Mappings to Increase Hit Rates, ToN 1998
     * [2] Schindelhauer, Schomaker, Weighted Distributed Hash Tables, SPAA 2005
     */
    public static final int NONE = -1;
    private static final int STEPS_PER_OCTAVE = 16;

    private final long[] hashes;
    private final int[] classEnds;
    private final double[] classWeights;

    /**
     * Creates the hashing over these nodes.
     *
     * @param ids the nodes' identifiers, by ascending weight step
     * @param steps the nodes' weight steps, from {@link #step}, ascending
     */
    public Rendezvous(List<String> ids, int[] steps)
    {
        hashes = ids.stream().mapToLong(Hashing::hash).toArray();
        int classes = 0;
        int[] ends = new int[steps.length];
        double[] weights = new double[steps.length];
        for (int i = 0; i < steps.length; i++) {
            if (i == 0 || steps[i] != steps[i - 1]) {
                weights[classes] = weight(steps[i]);
                classes++;
            }
            ends[classes - 1] = i + 1;
        }
        classEnds = Arrays.copyOf(ends, classes);
        classWeights = Arrays.copyOf(weights, classes);
    }

    /** Returns the step nearest to a weight above zero. */
    public static int step(double weight)
    {
        return (int) StrictMath.rint(StrictMath.log(weight) / StrictMath.log(2) * STEPS_PER_OCTAVE);
    }

    /** Returns the weight at a step. */
    public static double weight(int step)
    {
        return StrictMath.pow(2, (double) step / STEPS_PER_OCTAVE);
    }

    /** Returns the node with the best score for a key, or {@link #NONE} if there is no node. */
    public int best(long key)
    {
        if (classEnds.length == 1) {
            return bestOf(0, hashes.length, key);
        }
        int best = NONE;
        double bestScore = 0;
        int begin = 0;
        for (int i = 0; i < classEnds.length; i++) {
            int candidate = bestOf(begin, classEnds[i], key);
            double score = score(candidate, i, key);
            if (score > bestScore) {
                bestScore = score;
                best = candidate;
            }
            begin = classEnds[i];
        }
        return best;
    }

    /** Returns the node with the best score among those that are eligible, or {@link #NONE} if none is. */
    public int best(long key, IntPredicate eligible)
    {
        int best = NONE;
        double bestScore = 0;
        int begin = 0;
        for (int i = 0; i < classEnds.length; i++) {
            int candidate = bestOf(begin, classEnds[i], key, eligible);
            if (candidate != NONE) {
                double score = score(candidate, i, key);
                if (score > bestScore) {
                    bestScore = score;
                    best = candidate;
                }
            }
            begin = classEnds[i];
        }
        return best;
    }

    private double score(int node, int weightClass, long key)
    {
        return classWeights[weightClass] / -StrictMath.log(Hashing.unit(Hashing.score(hashes[node], key)));
    }

    private int bestOf(int begin, int end, long key)
    {
        long[] nodes = hashes;
        int best = begin;
        long bestScore = Hashing.score(nodes[begin], key);
        for (int i = begin + 1; i < end; i++) {
            long score = Hashing.score(nodes[i], key);
            if (score > bestScore) {
                bestScore = score;
                best = i;
            }
        }
        return best;
    }

    private int bestOf(int begin, int end, long key, IntPredicate eligible)
    {
        long[] nodes = hashes;
        int best = NONE;
        long bestScore = 0;
        for (int i = begin; i < end; i++) {
            long score = Hashing.score(nodes[i], key);
            // compare the score first: of n nodes, only about ln(n) are tested for eligibility
            if ((best == NONE || score > bestScore) && eligible.test(i)) {
                bestScore = score;
                best = i;
            }
        }
        return best;
    }
}
