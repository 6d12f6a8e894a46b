// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import io.eyrie.affinity.placement.NodeLoad;
import io.eyrie.affinity.placement.PlacementStats;
import org.weakref.jmx.Managed;

import static java.util.Objects.requireNonNull;

/** An MBean with the totals that this coordinator placed on one node, since the coordinator started or since the node joined. */
public final class NodePlacement
{
    private final PlacementStats stats;
    private final String nodeId;

    NodePlacement(PlacementStats stats, String nodeId)
    {
        this.stats = requireNonNull(stats, "stats is null");
        this.nodeId = requireNonNull(nodeId, "nodeId is null");
    }

    @Managed(description = "files and sections of files, each counted once per scan")
    public long getKeys()
    {
        return load().keys();
    }

    @Managed(description = "splits")
    public long getSplits()
    {
        return load().splits();
    }

    @Managed(description = "bytes of the splits")
    public long getBytes()
    {
        return load().weightBytes();
    }

    @Managed(description = "splits placed here because their preferred node had reached its share of the scan")
    public long getOverflowSplits()
    {
        return load().overflowSplits();
    }

    @Managed(description = "splits placed here because their preferred node was absent, for less than the grace period")
    public long getStandInSplits()
    {
        return load().standInSplits();
    }

    @Managed(description = "share of the splits whose preferred node is another one, 0 to 1")
    public double getNonPreferredShare()
    {
        return load().nonPreferredShare();
    }

    private NodeLoad load()
    {
        return stats.of(nodeId);
    }
}
