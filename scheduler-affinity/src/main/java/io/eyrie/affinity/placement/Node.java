// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import static java.util.Objects.requireNonNull;

/**
 * A worker as placement sees it.
 *
 * @param id the node's name for as long as its cache exists; placement hashes nothing else
 * @param address its current address; may change without moving a key
 * @param weight its capacity, in any unit that all nodes share (bytes of cache); 0 if unknown, which counts as the mean of the known weights
 */
public record Node(String id, String address, long weight)
{
    /** The weight of a node whose capacity is unknown. */
    public static final long UNKNOWN_WEIGHT = 0;

    public Node
    {
        requireNonNull(id, "id is null");
        requireNonNull(address, "address is null");
        if (weight < 0) {
            throw new IllegalArgumentException("weight of node " + id + " is negative: " + weight);
        }
    }
}
