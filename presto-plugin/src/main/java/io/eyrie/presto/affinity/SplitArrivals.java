// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.SplitContext;
import com.google.inject.Inject;
import io.eyrie.cache.metric.Metric;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.SplitPlace;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

import static com.facebook.presto.common.RuntimeUnit.NONE;
import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.NO_PREFERENCE;
import static java.util.Objects.requireNonNull;

/**
 * Decides on the worker whether it caches the data that it reads for a split, and counts the decisions. Thread-safe.
 */
public final class SplitArrivals
{
    private final NodeManager nodeManager;
    private final LongSupplier controlEpoch;
    private final boolean caches;
    private final LongAdder kept = new LongAdder();
    private final LongAdder elsewhere = new LongAdder();
    private final LongAdder unplaced = new LongAdder();

    @Inject
    public SplitArrivals(NodeManager nodeManager, Control control, EyrieCacheConfig config)
    {
        this(nodeManager, control::epoch, config.isEnabled());
    }

    /** @param caches whether this node has a cache; the coordinator's configuration may differ */
    SplitArrivals(NodeManager nodeManager, LongSupplier controlEpoch, boolean caches)
    {
        this.controlEpoch = requireNonNull(controlEpoch, "controlEpoch is null");
        this.nodeManager = requireNonNull(nodeManager, "nodeManager is null");
        this.caches = caches;
    }

    /**
     * Returns the context with Eyrie's caching decision. Data of a split with a place is cached only by the nodes that the place names. Data of a
     * split without a place is cached if the engine allows it, or, if the split has no preferred node, by the node that runs it. A node that does not
     * know the split's control epoch yet caches nothing, nor does a node without a cache.
     */
    public SplitContext decide(HiveSplit split, SplitContext context, RuntimeStats stats)
    {
        boolean keep = keeps(split, context);
        if (place(split).isEmpty()) {
            unplaced.increment();
        }
        else {
            (keep ? kept : elsewhere).increment();
            stats.addMetricValue(keep ? "eyriePlacementKeptSplits" : "eyriePlacementElsewhereSplits", NONE, 1);
        }
        return keep == context.isCacheable()
                ? context
                : context.getDynamicFilterPredicate().map(predicate -> new SplitContext(keep, predicate)).orElseGet(() -> new SplitContext(keep));
    }

    /** Returns the decision of {@link #decide} without counting the split. */
    public boolean keeps(HiveSplit split, SplitContext context)
    {
        if (!caches) {
            return false;
        }
        if (split instanceof EyrieSplit affinity && affinity.getControlEpoch() > controlEpoch.getAsLong()) {
            // operators issued a command before the scan was planned, and this node has not received it yet
            return false;
        }
        return place(split)
                .map(place -> place.keepOn().contains(nodeManager.getCurrentNode().getNodeIdentifier()))
                .orElseGet(() -> context.isCacheable() || split.getNodeSelectionStrategy() == NO_PREFERENCE);
    }

    private static Optional<SplitPlace> place(HiveSplit split)
    {
        return split instanceof EyrieSplit affinity ? affinity.getPlace() : Optional.empty();
    }

    @Metric("placed splits that ran here and whose data this node caches")
    public long keptSplits()
    {
        return kept.sum();
    }

    @Metric("placed splits that ran here and whose data this node does not cache")
    public long elsewhereSplits()
    {
        return elsewhere.sum();
    }

    @Metric("splits that ran here without a placement: bucketed splits, other node selection strategies")
    public long unplacedSplits()
    {
        return unplaced.sum();
    }

    @Metric("share of the placed splits that ran here and whose data is not cached here, 0 to 1")
    public double nonPreferredShare()
    {
        long here = elsewhere.sum();
        long all = here + kept.sum();
        return all == 0 ? 0 : (double) here / all;
    }
}
