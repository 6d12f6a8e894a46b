// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.eyrie.affinity.placement.Node;
import io.eyrie.affinity.placement.NodeLoad;
import io.eyrie.affinity.placement.NodeView;
import io.eyrie.affinity.placement.PlacementStats;
import io.eyrie.presto.catalog.CatalogName;
import org.weakref.jmx.MBeanExporter;

import javax.management.ObjectName;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/**
 * Exports an MBean for each node on which splits were placed, {@code io.eyrie.presto.affinity:type=NodePlacement,name=<catalog>,node=<id>}. The MBean
 * is removed when the node leaves. Thread-safe.
 */
public final class NodePlacements
{
    private final MBeanExporter exporter;
    private final CatalogName catalog;
    private final PlacementStats stats = new PlacementStats();
    @GuardedBy("this")
    private final Map<String, String> exported = new HashMap<>();

    @Inject
    public NodePlacements(MBeanExporter exporter, CatalogName catalog)
    {
        this.exporter = requireNonNull(exporter, "exporter is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    /** Adds the placements of one scan, and forgets nodes that are no longer members. */
    synchronized void add(Collection<NodeLoad> loads, NodeView members)
    {
        stats.add(loads);
        Set<String> ids = members.nodes().stream().map(Node::id).collect(Collectors.toSet());
        stats.retain(ids);
        for (NodeLoad load : loads) {
            if (ids.contains(load.nodeId()) && !exported.containsKey(load.nodeId())) {
                String name = NodePlacement.class.getPackageName() + ":type=NodePlacement,name=" + catalog.name() + ",node=" + ObjectName.quote(load
                        .nodeId());
                exporter.export(name, new NodePlacement(stats, load.nodeId()));
                exported.put(load.nodeId(), name);
            }
        }
        exported.entrySet().removeIf(entry -> {
            boolean gone = !ids.contains(entry.getKey());
            if (gone) {
                exporter.unexport(entry.getValue());
            }
            return gone;
        });
    }
}
