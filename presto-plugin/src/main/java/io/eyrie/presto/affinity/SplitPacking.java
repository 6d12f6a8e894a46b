// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.NodeManager;
import com.google.inject.Inject;
import io.eyrie.presto.config.AffinityConfig;

import java.util.Set;

import static com.facebook.presto.hive.HiveSessionProperties.getMaxSplitSize;
import static com.facebook.presto.hive.HiveSessionProperties.isOrderBasedExecutionEnabled;

/** Packs splits of small files that belong to the same worker into one split. Runs on the coordinator. Thread-safe. */
public final class SplitPacking
{
    private static final Set<String> COLUMNAR = Set.of(
            HiveStorageFormat.ORC.getSerDe(),
            HiveStorageFormat.DWRF.getSerDe(),
            HiveStorageFormat.PARQUET.getSerDe());

    private final int leastSplitsPerNode;

    @Inject
    public SplitPacking(AffinityConfig config, NodeManager engine)
    {
        leastSplitsPerNode = config.packing();
        if (leastSplitsPerNode > 0) {
            UnsampledSplitSource.requireHost(engine.getClass().getClassLoader());
        }
    }

    /** Whether Presto reads a split's format column by column, and returns pages. */
    public static boolean isColumnar(HiveSplit split)
    {
        return COLUMNAR.contains(split.getStorage().getStorageFormat().getSerDe());
    }

    /**
     * Returns the packed splits of a scan. If order-based execution is enabled, splits are not packed: the engine then relies on the order of rows in
     * a split, and each file is sorted only within itself.
     *
     * @param computed whether the connector itself computes the scan's output, so that the engine gets pages for every format
     */
    public ConnectorSplitSource packed(ConnectorSplitSource splits, ConnectorSession session, boolean computed)
    {
        return leastSplitsPerNode == 0 || isOrderBasedExecutionEnabled(session)
                ? splits
                : new UnsampledSplitSource(splits, all -> new MappedSplitSource(
                        all,
                        new SplitPacker(leastSplitsPerNode, getMaxSplitSize(session).toBytes(), computed)::pack));
    }
}
