// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Sums up the loads of queries, by node. Thread-safe. */
public final class PlacementStats
{
    private final Map<String, NodeLoad> loads = new ConcurrentHashMap<>();

    /** Adds the placements of one query, from {@link QueryPlacement#loads}. */
    public void add(Collection<NodeLoad> queryLoads)
    {
        queryLoads.forEach(load -> loads.merge(load.nodeId(), load, PlacementStats::sum));
    }

    /** Drops the sums of all other nodes, so that a cluster whose nodes come and go does not accumulate statistics. */
    public void retain(Set<String> nodeIds)
    {
        loads.keySet().retainAll(nodeIds);
    }

    /** Returns the sums of one node; zeros if nothing was placed there. */
    public NodeLoad of(String nodeId)
    {
        return loads.getOrDefault(nodeId, new NodeLoad(nodeId, 0, 0, 0, 0, 0));
    }

    /** Returns the sums so far, by node identifier. */
    public List<NodeLoad> snapshot()
    {
        return loads.values().stream().sorted(Comparator.comparing(NodeLoad::nodeId)).toList();
    }

    private static NodeLoad sum(NodeLoad left, NodeLoad right)
    {
        return new NodeLoad(
                left.nodeId(),
                left.keys() + right.keys(),
                left.splits() + right.splits(),
                left.weightBytes() + right.weightBytes(),
                left.overflowSplits() + right.overflowSplits(),
                left.standInSplits() + right.standInSplits());
    }
}
