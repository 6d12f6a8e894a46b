// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.store.PageKey;

import java.nio.file.Path;
import java.util.List;

/**
 * Assigns pages to directories by weighted rendezvous hashing: if a directory is added, removed or resized, only its share of the pages moves.
 * Immutable.
 */
final class Placement
{
    /*
     * Score   weight / -ln(hash in (0, 1)); the highest wins. With equal weights, the highest hash wins, so no logarithm is needed.
     */
    private static final double STEPS_PER_OCTAVE = 4;

    private final long[] seeds;
    private final double[] weights;
    private final boolean equal;

    /**
     * @param directories in any order
     * @param bytes the size of each directory's volume, now or when it was last present; 0 if unknown, which counts as the mean
     */
    Placement(List<Path> directories, long[] bytes)
    {
        seeds = directories.stream().mapToLong(Placement::seed).toArray();
        weights = weights(bytes);
        boolean same = true;
        for (double weight : weights) {
            same &= weight == weights[0];
        }
        equal = same;
    }

    /** Computes weights. Sizes are rounded, so that volumes with a small difference, such as the overhead of a file system, have the same weight. */
    private static double[] weights(long[] bytes)
    {
        double[] weights = new double[bytes.length];
        double sum = 0;
        int known = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] > 0) {
                weights[i] = Math.pow(2, Math.rint(Math.log((double) bytes[i]) / Math.log(2) * STEPS_PER_OCTAVE) / STEPS_PER_OCTAVE);
                sum += weights[i];
                known++;
            }
        }
        double mean = known == 0 ? 1 : sum / known;
        sum = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = weights[i] == 0 ? mean : weights[i];
            sum += weights[i];
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] /= sum;
        }
        return weights;
    }

    /** A directory's share of all pages. */
    double share(int directory)
    {
        return weights[directory];
    }

    /** Returns the number of the directory that a page belongs to. */
    int directory(PageKey key)
    {
        if (seeds.length == 1) {
            return 0;
        }
        long page = Mix.mix(key.hashHigh() ^ Mix.mix(key.hashLow() ^ Mix.mix(key.pageNumber())));
        return equal ? highestHash(page) : highestScore(page);
    }

    private int highestHash(long page)
    {
        int best = 0;
        long bestHash = Long.MIN_VALUE;
        for (int i = 0; i < seeds.length; i++) {
            long hash = Mix.mix(page ^ seeds[i]);
            if (hash > bestHash) {
                best = i;
                bestHash = hash;
            }
        }
        return best;
    }

    private int highestScore(long page)
    {
        int best = 0;
        double bestScore = -1;
        for (int i = 0; i < seeds.length; i++) {
            double hash = ((Mix.mix(page ^ seeds[i]) >>> 11) + 0.5) * 0x1p-53;
            double score = weights[i] / -Math.log(hash);
            if (score > bestScore) {
                best = i;
                bestScore = score;
            }
        }
        return best;
    }

    private static long seed(Path directory)
    {
        long seed = 0;
        for (char c : directory.toString().toCharArray()) {
            seed = Mix.mix(seed + c + 1);
        }
        return seed;
    }
}
