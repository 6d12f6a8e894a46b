// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.SplitContext;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import io.eyrie.presto.handle.AffinityHiveSplit;

import java.util.List;

import static com.facebook.presto.common.RuntimeUnit.NONE;

/** Reads packed splits one after the other, over a provider that never sees a split that carries others. */
public final class UnpackedSplits
{
    private UnpackedSplits()
    {}

    /**
     * Returns a provider for splits that may carry others.
     *
     * @param provider called for each piece, on the engine's threads, after the previous piece was read
     */
    public static ConnectorPageSourceProvider of(ConnectorPageSourceProvider provider)
    {
        return new ConnectorPageSourceProvider() {
            @Override
            public ConnectorPageSource createPageSource(
                    ConnectorTransactionHandle transaction,
                    ConnectorSession session,
                    ConnectorSplit split,
                    ConnectorTableLayoutHandle layout,
                    List<ColumnHandle> columns,
                    SplitContext context,
                    RuntimeStats stats)
            {
                List<HiveSplit> pieces = AffinityHiveSplit.pieces(split);
                if (pieces.size() == 1) {
                    return provider.createPageSource(transaction, session, split, layout, columns, context, stats);
                }
                stats.addMetricValue("eyriePackedSplits", NONE, pieces.size());
                return new PackedPageSource(
                        pieces,
                        piece -> provider.createPageSource(transaction, session, piece, layout, columns, context, stats),
                        stats);
            }
        };
    }
}
