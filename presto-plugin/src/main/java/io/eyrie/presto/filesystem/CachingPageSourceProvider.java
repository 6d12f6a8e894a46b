package io.eyrie.presto.filesystem;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.BinaryExtraHiveFileInfo;
import com.facebook.presto.hive.CacheQuota;
import com.facebook.presto.hive.HiveFileContext;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HivePageSourceProvider;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.SplitContext;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.google.inject.Inject;
import org.apache.hadoop.fs.Path;

import java.util.List;
import java.util.OptionalLong;

import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.NO_PREFERENCE;
import static java.util.Objects.requireNonNull;

/** Tells the file system which split is being opened, and lets splits without a preferred node be cached where they run. */
public final class CachingPageSourceProvider
        implements ConnectorPageSourceProvider
{
    private final ConnectorPageSourceProvider delegate;

    @Inject
    public CachingPageSourceProvider(HivePageSourceProvider delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    @Override
    public ConnectorPageSource createPageSource(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorSplit split,
            ConnectorTableLayoutHandle layout,
            List<ColumnHandle> columns,
            SplitContext splitContext,
            RuntimeStats runtimeStats)
    {
        HiveSplit hiveSplit = (HiveSplit) split;
        SplitContext effective = cacheable(hiveSplit, splitContext);
        HiveFileSplit file = hiveSplit.getFileSplit();
        HiveFileContext context = new HiveFileContext(
                effective.isCacheable(),
                CacheQuota.NO_CACHE_CONSTRAINTS,
                file.getExtraFileInfo().map(BinaryExtraHiveFileInfo::new),
                OptionalLong.of(file.getFileSize()),
                OptionalLong.of(file.getStart()),
                OptionalLong.of(file.getLength()),
                file.getFileModifiedTime(),
                false,
                runtimeStats);
        return new OpeningSplit(new Path(file.getPath()), context)
                .during(() -> delegate.createPageSource(transaction, session, split, layout, columns, effective, runtimeStats));
    }

    /** The engine marks a split cacheable only on a preferred node; where no node was preferred, the one that runs it keeps the pages. */
    private static SplitContext cacheable(HiveSplit split, SplitContext context)
    {
        if (context.isCacheable() || split.getNodeSelectionStrategy() != NO_PREFERENCE) {
            return context;
        }
        return context.getDynamicFilterPredicate()
                .map(predicate -> new SplitContext(true, predicate))
                .orElseGet(() -> new SplitContext(true));
    }
}
