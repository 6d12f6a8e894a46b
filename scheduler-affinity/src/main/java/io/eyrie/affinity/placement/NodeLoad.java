package io.eyrie.affinity.placement;

/**
 * What was placed on a node.
 *
 * @param nodeId the node
 * @param keys keys that were placed there, each counted once a query and node
 * @param splits splits
 * @param weightBytes their weights
 * @param overflowSplits of the splits, those whose keys belong to another node that had its part
 * @param standInSplits of the splits, those whose keys belong to a node that is away
 */
public record NodeLoad(String nodeId, long keys, long splits, long weightBytes, long overflowSplits, long standInSplits)
{
    /** The part of the splits whose keys are not the node's own, 0 to 1. */
    public double nonPreferredShare()
    {
        return splits == 0 ? 0 : (double) (overflowSplits + standInSplits) / splits;
    }
}
