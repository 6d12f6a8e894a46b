// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.rendezvous.Hashing;
import io.eyrie.cache.rendezvous.Rendezvous;
import io.eyrie.cache.store.PageKey;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Assigns pages to directories by {@link Rendezvous} hashing, in proportion to the sizes of their volumes. Immutable. */
final class DirectoryPlacement
{
    /** Weights are rounded to this many steps, so that volumes with a small difference, such as the overhead of a file system, have the same weight. */
    private static final int ROUNDING_STEPS = 4;

    private final Rendezvous rendezvous;
    /** The number of the directory at each index of the rendezvous. */
    private final int[] numbers;
    private final double[] shares;

    /**
     * @param directories in any order
     * @param bytes the size of each directory's volume, now or when it was last present; 0 if unknown, which counts as the mean
     */
    DirectoryPlacement(List<Path> directories, long[] bytes)
    {
        double mean = LongStream.of(bytes).filter(size -> size > 0).mapToDouble(size -> Rendezvous.weight(step(size))).average().orElse(1);
        int[] steps = LongStream.of(bytes).mapToInt(size -> size > 0 ? step(size) : Rendezvous.step(mean)).toArray();
        numbers = IntStream.range(0, steps.length).boxed().sorted(Comparator.comparing(number -> steps[number])).mapToInt(number -> number).toArray();
        rendezvous = new Rendezvous(
                IntStream.of(numbers).mapToObj(number -> directories.get(number).toString()).toList(),
                IntStream.of(numbers).map(number -> steps[number]).toArray());
        double sum = IntStream.of(steps).mapToDouble(Rendezvous::weight).sum();
        shares = IntStream.of(steps).mapToDouble(step -> Rendezvous.weight(step) / sum).toArray();
    }

    private static int step(long bytes)
    {
        return Math.round((float) Rendezvous.step((double) bytes) / ROUNDING_STEPS) * ROUNDING_STEPS;
    }

    /** A directory's share of all pages. */
    double share(int directory)
    {
        return shares[directory];
    }

    /** Returns the number of the directory that a page belongs to. */
    int directory(PageKey key)
    {
        if (numbers.length == 1) {
            return 0;
        }
        return numbers[rendezvous.best(Hashing.hash(Hashing.hash(key.hashHigh(), key.hashLow()), key.pageNumber()))];
    }
}
