// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

/**
 * The splits that were placed on a node.
 *
 * @param nodeId the node
 * @param keys number of keys placed there, each counted once a query and node
 * @param splits number of splits
 * @param weightBytes the sum of their weights
 * @param overflowSplits splits among them whose keys belong to another node that had reached its share
 * @param standInSplits splits among them whose keys belong to a node that is away
 */
public record NodeLoad(String nodeId, long keys, long splits, long weightBytes, long overflowSplits, long standInSplits)
{
    /** Returns the fraction of the splits whose keys the node does not own, 0 to 1. */
    public double nonPreferredShare()
    {
        return splits == 0 ? 0 : (double) (overflowSplits + standInSplits) / splits;
    }
}
