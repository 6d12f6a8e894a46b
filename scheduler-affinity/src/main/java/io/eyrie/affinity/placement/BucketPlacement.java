// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import io.eyrie.cache.rendezvous.Hashing;
import io.eyrie.cache.rendezvous.Rendezvous;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * Assigns the buckets of a table to nodes. The result depends only on the key, the number of buckets and the nodes' identifiers. Each node gets
 * {@code buckets / nodes} buckets, and the remainder goes to as many nodes, one each.
 */
public final class BucketPlacement
{
    /*
     * Order       Each bucket takes the best of its own candidates that has room, bucket by bucket. A node that leaves gives its buckets to others, and those that
     *             are full pass on some of theirs
     */
    private BucketPlacement()
    {}

    /**
     * Returns the node of each bucket.
     *
     * @param nodes the nodes' identifiers, at least one
     * @param key the same for all tables whose buckets must be on the same nodes
     */
    public static List<String> place(SortedSet<String> nodes, long key, int buckets)
    {
        List<String> ids = List.copyOf(nodes);
        Rendezvous rendezvous = new Rendezvous(ids, new int[ids.size()]);
        int[] counts = new int[ids.size()];
        int share = buckets / ids.size();
        int remainder = buckets % ids.size();
        List<String> placed = new ArrayList<>(buckets);
        for (int bucket = 0; bucket < buckets; bucket++) {
            int most = remainder > 0 ? share : share - 1;
            int node = rendezvous.best(Hashing.hash(key, bucket), candidate -> counts[candidate] <= most);
            if (counts[node] == share) {
                remainder--;
            }
            counts[node]++;
            placed.add(ids.get(node));
        }
        return List.copyOf(placed);
    }
}
