// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.NodePoolType;
import com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingContext;
import com.google.inject.Inject;
import io.eyrie.affinity.placement.LoadBound;
import io.eyrie.affinity.placement.Members;
import io.eyrie.affinity.placement.Node;
import io.eyrie.affinity.placement.NodeView;
import io.eyrie.affinity.placement.QueryPlacement;
import io.eyrie.affinity.placement.SectionKeys;
import io.eyrie.presto.config.AffinityConfig;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.handle.EyrieLayoutHandle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import static com.facebook.presto.hive.HiveCommonSessionProperties.getAffinitySchedulingFileSectionSize;
import static com.facebook.presto.hive.HiveCommonSessionProperties.getNodeSelectionStrategy;
import static com.facebook.presto.hive.HiveSessionProperties.isBucketExecutionEnabled;
import static com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingStrategy.UNGROUPED_SCHEDULING;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;
import static java.util.Objects.requireNonNull;

/**
 * Places the splits of a scan if the node selection strategy is {@code SOFT_AFFINITY}. If workers are in pools, leaves the choice to the engine, which assigns
 * files to the workers of one pool at a time. Runs on the coordinator. Thread-safe.
 */
public final class SplitPlacer
{
    private static final Logger log = Logger.get(SplitPlacer.class);

    private final NodeManager nodeManager;
    private final NodePlacements placements;
    private final Members members;
    private final LoadBound bound;
    private final Duration gatherTime;
    private final LongSupplier controlEpoch;
    private final AtomicBoolean warned = new AtomicBoolean();

    @Inject
    public SplitPlacer(NodeManager nodeManager, NodePlacements placements, AffinityConfig config, Control control)
    {
        this(nodeManager, placements, config, control::epoch);
    }

    SplitPlacer(NodeManager nodeManager, NodePlacements placements, AffinityConfig config, LongSupplier controlEpoch)
    {
        this.controlEpoch = requireNonNull(controlEpoch, "controlEpoch is null");
        this.nodeManager = requireNonNull(nodeManager, "nodeManager is null");
        this.placements = requireNonNull(placements, "placements is null");
        members = new Members(config.grace(), System::nanoTime);
        bound = config.loadBound();
        gatherTime = config.gather();
    }

    /** Returns the splits with the workers that cache them. */
    public ConnectorSplitSource placed(
            ConnectorSplitSource splits,
            ConnectorSession session,
            ConnectorTableLayoutHandle layout,
            SplitSchedulingContext context)
    {
        if (context.getSplitSchedulingStrategy() != UNGROUPED_SCHEDULING
                || getNodeSelectionStrategy(session) != SOFT_AFFINITY
                || hasBucketMap(session, layout)
                || hasPools()) {
            return new MappedSplitSource(splits, batch -> ScanPlacement.unplaced(batch, controlEpoch.getAsLong()));
        }
        if (context.schedulerUsesHostAddresses() && warned.compareAndSet(false, true)) {
            log.warn(
                    "node-scheduler.network-topology is set, and the scheduler that it selects ignores SOFT_AFFINITY: splits run on any worker, "
                            + "and a worker does not cache data of files that belong to other workers. Set node-scheduler.network-topology=legacy, "
                            + "or set hive.node-selection-strategy=NO_PREFERENCE so that each worker caches all data that it reads");
        }
        NodeView view = members.update(workers());
        return new PlacedSplitSource(
                splits,
                new ScanPlacement(
                        new QueryPlacement(view, bound),
                        new SectionKeys(Math.max(1, getAffinitySchedulingFileSectionSize(session).toBytes())),
                        session.getRuntimeStats(),
                        controlEpoch),
                gatherTime,
                loads -> placements.add(loads, members.view()));
    }

    /*
     * Whether the engine sends each split to the worker of its bucket: it does if the layout has a partitioning. The splits of other layouts have bucket
     * numbers, too.
     */
    private static boolean hasBucketMap(ConnectorSession session, ConnectorTableLayoutHandle layout)
    {
        return layout instanceof HiveTableLayoutHandle hive
                && hive.getBucketHandle().isPresent()
                && !EyrieLayoutHandle.isJoined(layout)
                && isBucketExecutionEnabled(session);
    }

    /* With pools, the stage of a scan determines the workers that run its splits, and a split source does not know the stage. */
    private boolean hasPools()
    {
        return nodeManager.getWorkerNodes().stream().anyMatch(node -> node.getPoolType() != NodePoolType.DEFAULT);
    }

    private List<Node> workers()
    {
        return nodeManager.getWorkerNodes().stream()
                .filter(node -> !node.isResourceManager())
                .map(node -> new Node(node.getNodeIdentifier(), node.getHostAndPort().toString(), Node.UNKNOWN_WEIGHT))
                .toList();
    }
}
