// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.eyrie.affinity.placement.Node;
import io.eyrie.affinity.placement.NodeLoad;
import io.eyrie.affinity.placement.NodeView;
import io.eyrie.affinity.placement.PlacementStats;
import io.eyrie.presto.catalog.CatalogMBeans;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/**
 * Registers an MBean for each node on which splits were placed, {@code io.eyrie:type=NodePlacement,name=<catalog>,node=<id>}, with the
 * totals since the coordinator started or since the node joined. The MBean is removed when the node leaves. Thread-safe.
 */
public final class NodePlacements
{
    private static final String TYPE = "NodePlacement";
    private static final String NODE = "node";

    private final CatalogMBeans mbeans;
    private final PlacementStats stats = new PlacementStats();
    @GuardedBy("this")
    private final Set<String> registered = new HashSet<>();

    @Inject
    public NodePlacements(CatalogMBeans mbeans)
    {
        this.mbeans = requireNonNull(mbeans, "mbeans is null");
    }

    /** Adds the placements of one scan, and forgets nodes that are no longer members. */
    synchronized void add(Collection<NodeLoad> loads, NodeView members)
    {
        stats.add(loads);
        Set<String> ids = members.nodes().stream().map(Node::id).collect(Collectors.toSet());
        stats.retain(ids);
        for (NodeLoad load : loads) {
            String id = load.nodeId();
            if (ids.contains(id) && !registered.contains(id)) {
                mbeans.register(TYPE, NODE, id, CatalogMBeans.metrics().add(NodeLoad.class, () -> stats.of(id)));
                registered.add(id);
            }
        }
        registered.removeIf(id -> {
            boolean gone = !ids.contains(id);
            if (gone) {
                mbeans.remove(TYPE, NODE, id);
            }
            return gone;
        });
    }
}
