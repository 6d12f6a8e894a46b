package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.google.inject.Inject;
import io.eyrie.presto.config.AffinityConfig;

import static com.facebook.presto.hive.HiveSessionProperties.getMaxSplitSize;

/** Packs splits of small files that belong to the same worker into one. Runs on the coordinator. Thread-safe. */
public final class SplitPacking
{
    private final int leastSplitsPerNode;

    @Inject
    public SplitPacking(AffinityConfig config)
    {
        leastSplitsPerNode = config.packing();
    }

    /**
     * The splits of a scan, packed.
     *
     * @param computed whether the connector itself computes what the scan gives, so that the engine gets pages whatever the format
     */
    public ConnectorSplitSource packed(ConnectorSplitSource splits, ConnectorSession session, boolean computed)
    {
        return leastSplitsPerNode == 0
                ? splits
                : new MappedSplitSource(splits, new SplitPacker(leastSplitsPerNode, getMaxSplitSize(session).toBytes(), computed)::pack);
    }
}
