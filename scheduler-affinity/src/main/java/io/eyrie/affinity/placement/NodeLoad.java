// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import io.eyrie.cache.metric.Metric;

/** The splits that were placed on a node. */
public record NodeLoad(
        String nodeId,
        @Metric("files and sections of files, each counted once per scan") long keys,
        @Metric("splits") long splits,
        @Metric(value = "bytes of the splits", name = "bytes") long weightBytes,
        @Metric("splits placed here because their preferred node had reached its share of the scan") long overflowSplits,
        @Metric("splits placed here because their preferred node was absent, for less than the grace period") long standInSplits)
{
    /** Returns the fraction of the splits whose keys the node does not own, 0 to 1. */
    @Metric("share of the splits whose preferred node is another one, 0 to 1")
    public double nonPreferredShare()
    {
        return splits == 0 ? 0 : (double) (overflowSplits + standInSplits) / splits;
    }
}
