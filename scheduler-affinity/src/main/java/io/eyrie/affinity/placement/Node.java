package io.eyrie.affinity.placement;

import static java.util.Objects.requireNonNull;

/**
 * A worker as placement sees it.
 *
 * @param id what the node is called for as long as its cache lives; the only thing that placement hashes
 * @param address where it is now; may change without a key moving
 * @param weight what it can hold, in any unit that all nodes share (bytes of cache); 0 where that is not known, which counts
 *         as the mean of the known
 */
public record Node(String id, String address, long weight)
{
    /** The weight of a node of which nothing is known. */
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
