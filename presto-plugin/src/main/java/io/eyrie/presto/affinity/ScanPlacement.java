// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.HostAddress;
import io.eyrie.affinity.placement.Decision;
import io.eyrie.affinity.placement.Node;
import io.eyrie.affinity.placement.NodeLoad;
import io.eyrie.affinity.placement.QueryPlacement;
import io.eyrie.affinity.placement.SectionKeys;
import io.eyrie.affinity.placement.SplitRequest;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.SplitPlace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

import static com.facebook.presto.common.RuntimeUnit.NONE;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;
import static java.util.Objects.requireNonNull;

/**
 * Places the splits of one scan and counts the decisions in the query's runtime statistics. Splits that must run where their blocks are stored get no
 * place. Not thread-safe.
 */
final class ScanPlacement
{
    private final QueryPlacement placement;
    private final SectionKeys keys;
    private final RuntimeStats stats;
    private final LongSupplier controlEpoch;
    private final Map<Node, HostAddress> addresses = new HashMap<>();

    /** @param controlEpoch returns the latest control epoch that this coordinator knows */
    ScanPlacement(QueryPlacement placement, SectionKeys keys, RuntimeStats stats, LongSupplier controlEpoch)
    {
        this.controlEpoch = requireNonNull(controlEpoch, "controlEpoch is null");
        this.placement = requireNonNull(placement, "placement is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    /** Returns how many splits are worth gathering for {@link #placeFirst}. */
    int gatherLimit()
    {
        return placement.gatherLimit();
    }

    /** Places the first splits as one set; {@code complete} is whether they are all splits of the scan. */
    List<ConnectorSplit> placeFirst(List<ConnectorSplit> splits, boolean complete)
    {
        List<SplitRequest> requests = splits.stream().filter(ScanPlacement::isPlaceable).map(HiveSplit.class::cast).map(this::request).toList();
        List<Decision> decisions = placement.placeAll(requests, complete);
        List<ConnectorSplit> placed = new ArrayList<>(splits.size());
        int next = 0;
        for (ConnectorSplit split : splits) {
            HiveSplit hiveSplit = (HiveSplit) split;
            placed.add(isPlaceable(hiveSplit) ? placed(hiveSplit, decisions.get(next++)) : unplaced(hiveSplit, controlEpoch.getAsLong()));
        }
        return placed;
    }

    /** Places one more split. */
    ConnectorSplit place(ConnectorSplit split)
    {
        HiveSplit hiveSplit = (HiveSplit) split;
        return isPlaceable(hiveSplit) ? placed(hiveSplit, placement.place(request(hiveSplit))) : unplaced(hiveSplit, controlEpoch.getAsLong());
    }

    /** Returns the placed load of each node. Call it once, at the end. */
    List<NodeLoad> loads()
    {
        if (placement.unrememberedSplits() > 0) {
            stats.addMetricValue("eyriePlacementUnrememberedSplits", NONE, placement.unrememberedSplits());
        }
        return placement.loads();
    }

    /** Returns the splits without a place, in the connector's split class. */
    static List<ConnectorSplit> unplaced(List<ConnectorSplit> splits, long controlEpoch)
    {
        return splits.stream().map(split -> unplaced(split, controlEpoch)).toList();
    }

    private static ConnectorSplit unplaced(ConnectorSplit split, long controlEpoch)
    {
        return EyrieSplit.of((HiveSplit) split, Optional.empty(), controlEpoch);
    }

    /** Whether {@link #placeFirst} and {@link #place} choose a place for a split. */
    static boolean isPlaceable(ConnectorSplit split)
    {
        return split.getNodeSelectionStrategy() == SOFT_AFFINITY;
    }

    private SplitRequest request(HiveSplit split)
    {
        HiveFileSplit file = split.getFileSplit();
        return new SplitRequest(keys.key(file.getPath(), file.getFileSize(), file.getStart()), file.getStart(), file.getLength());
    }

    private ConnectorSplit placed(HiveSplit split, Decision decision)
    {
        if (decision.nodes().isEmpty()) {
            return unplaced(split, controlEpoch.getAsLong());
        }
        stats.addMetricValue(metric(decision.reason()), NONE, 1);
        List<HostAddress> preferred = decision.nodes().stream()
                .map(node -> addresses.computeIfAbsent(node, known -> HostAddress.fromString(known.address())))
                .toList();
        List<String> keepOn = decision.isKept() ? decision.nodes().stream().map(Node::id).toList() : List.of();
        return EyrieSplit.of(split, Optional.of(new SplitPlace(preferred, keepOn)), controlEpoch.getAsLong());
    }

    private static String metric(Decision.Reason reason)
    {
        return switch (reason) {
            case OWNER -> "eyriePlacementOwnSplits";
            case OVERFLOW -> "eyriePlacementOverflowSplits";
            case STAND_IN, NOWHERE -> "eyriePlacementStandInSplits";
        };
    }
}
