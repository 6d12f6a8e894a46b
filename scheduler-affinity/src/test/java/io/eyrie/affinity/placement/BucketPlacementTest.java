// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import io.eyrie.cache.rendezvous.Hashing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class BucketPlacementTest
{
    private static final int KEYS = 20;

    @ParameterizedTest
    @CsvSource({"1, 1", "8, 40", "16, 10", "11, 5", "40, 40", "41, 40", "256, 40", "1000, 7"})
    void aNodeHasTwoBucketsMoreThanAnother(int buckets, int nodes)
    {
        for (int key = 0; key < KEYS; key++) {
            List<String> placed = BucketPlacement.place(ids(nodes), key(key), buckets);
            List<Integer> counts = ids(nodes).stream().map(id -> Collections.frequency(placed, id)).toList();
            assertThat(placed).hasSize(buckets);
            assertThat(Collections.max(counts) - Collections.min(counts)).isLessThanOrEqualTo(1);
        }
    }

    /** By position, as Presto places them, half of 8 or 16 buckets move, and nearly all of a hundred. */
    @ParameterizedTest
    @CsvSource({"8, 40, 2", "16, 40, 2", "16, 10, 2.5", "32, 20, 3", "128, 40, 4", "100, 40, 4", "256, 40, 3.5", "40, 40, 7"})
    void bucketsOfOtherNodesMove(int buckets, int nodes, double most)
    {
        long moved = 0;
        for (int key = 0; key < KEYS; key++) {
            List<String> before = BucketPlacement.place(ids(nodes), key(key), buckets);
            for (String leaving : ids(nodes)) {
                SortedSet<String> left = ids(nodes);
                left.remove(leaving);
                List<String> after = BucketPlacement.place(left, key(key), buckets);
                moved += IntStream.range(0, buckets).filter(bucket -> !before.get(bucket).equals(after.get(bucket))).count();
            }
        }
        double ofOneNode = (double) buckets / nodes;
        assertThat((double) moved / (KEYS * nodes)).isBetween(ofOneNode, most * ofOneNode);
    }

    @Test
    void tablesShareAFewNodes()
    {
        List<String> used = IntStream.range(0, KEYS).boxed().flatMap(key -> BucketPlacement.place(ids(40), key(key), 8).stream()).distinct().toList();
        assertThat(used).hasSizeGreaterThan(30);
    }

    /** Two coordinators, and two releases, agree. */
    @Test
    void placeDependsOnTheProcess()
    {
        assertThat(BucketPlacement.place(ids(4), key(7), 6)).containsExactly(
                "worker-2", "worker-3", "worker-3", "worker-2", "worker-1", "worker-0");
    }

    private static SortedSet<String> ids(int count)
    {
        return new TreeSet<>(IntStream.range(0, count).mapToObj(i -> "worker-" + i).toList());
    }

    private static long key(int number)
    {
        return Hashing.hash("types " + number);
    }
}
