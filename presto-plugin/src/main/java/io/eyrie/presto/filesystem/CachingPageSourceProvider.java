// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.BinaryExtraHiveFileInfo;
import com.facebook.presto.hive.CacheQuota;
import com.facebook.presto.hive.HiveFileContext;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HivePartition;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.SplitContext;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.inject.Inject;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.footer.FooterFile;
import io.eyrie.presto.affinity.SplitArrivals;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.footer.FooterSessionProperties;
import io.eyrie.presto.ledger.CacheLayer;
import org.apache.hadoop.fs.Path;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** Opens splits, and informs the file system which split is being opened and whether this worker caches the data that it reads. */
public final class CachingPageSourceProvider
        implements ConnectorPageSourceProvider
{
    private static final String UNPARTITIONED = HivePartition.UNPARTITIONED_ID.getPartitionName();

    static final int COLUMNS_OF_SCANS = 50_000;
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final ConnectorPageSourceProvider delegate;
    private final SplitArrivals arrivals;
    private final Cache<Scan, ColumnHabits> habits = Caffeine.newBuilder().maximumWeight(COLUMNS_OF_SCANS)
            .<Scan, ColumnHabits>weigher((scan, ignored) -> 10 + scan.columns().size()).expireAfterAccess(IDLE).build();

    private record Scan(String queryId, String schema, String table, Set<String> columns)
    {}

    @Inject
    public CachingPageSourceProvider(ConnectorPageSourceProvider delegate, SplitArrivals arrivals)
    {
        this.arrivals = requireNonNull(arrivals, "arrivals is null");
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
        return createAgain(transaction, session, hiveSplit, layout, columns, arrivals.decide(hiveSplit, splitContext, runtimeStats), runtimeStats);
    }

    /** Opens a split that is, or will be, opened once more, without counting it as another split. {@code decided} determines whether its data is cached. */
    public ConnectorPageSource createAgain(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            HiveSplit split,
            ConnectorTableLayoutHandle layout,
            List<ColumnHandle> columns,
            SplitContext decided,
            RuntimeStats runtimeStats)
    {
        return opening(session, split, decided, runtimeStats, Optional.empty(), file -> delegate.createPageSource(
                transaction,
                session,
                split,
                layout,
                columns,
                decided,
                runtimeStats));
    }

    /** Opens a split behind queries: its reads are not work that a query requested. */
    public ConnectorPageSource createUnrequested(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            HiveSplit split,
            ConnectorTableLayoutHandle layout,
            List<ColumnHandle> columns,
            RuntimeStats stats)
    {
        SplitContext decided = new SplitContext(true);
        return opening(session, split, decided, stats, Optional.of(ReadListener.NOOP), file -> delegate.createPageSource(
                transaction, session, split, layout, columns, decided, stats));
    }

    /** Returns a provider that opens splits that an operator wants cached, and notifies {@code ordered} of the reads of their files. */
    public ConnectorPageSourceProvider orderedBy(ReadListener ordered)
    {
        return new ConnectorPageSourceProvider() {
            @Override
            public ConnectorPageSource createPageSource(
                    ConnectorTransactionHandle transaction,
                    ConnectorSession session,
                    ConnectorSplit split,
                    ConnectorTableLayoutHandle layout,
                    List<ColumnHandle> columns,
                    SplitContext splitContext,
                    RuntimeStats stats)
            {
                SplitContext decided = arrivals.decide((HiveSplit) split, splitContext, stats);
                return opening(session, (HiveSplit) split, decided, stats, Optional.of(ordered), file -> delegate.createPageSource(
                        transaction, session, split, layout, columns, decided, stats));
            }
        };
    }

    /**
     * Runs {@code opener} while the split is the one that this thread is opening, and returns its result. Reads of the split's file go through the cache.
     *
     * @param ordered notified of the reads of the file, if no query requested them: an operator wants it cached, or the coordinator reads its footer
     */
    public <T> T opening(ConnectorSession session, HiveSplit split, SplitContext splitContext, RuntimeStats runtimeStats,
            Optional<ReadListener> ordered,
            Function<HiveFileContext, T> opener)
    {
        HiveFileSplit file = split.getFileSplit();
        HiveFileContext context = new HiveFileContext(
                splitContext.isCacheable(),
                CacheQuota.NO_CACHE_CONSTRAINTS,
                file.getExtraFileInfo().map(BinaryExtraHiveFileInfo::new),
                OptionalLong.of(file.getFileSize()),
                OptionalLong.of(file.getStart()),
                OptionalLong.of(file.getLength()),
                file.getFileModifiedTime(),
                false,
                runtimeStats);
        OpeningSplit opening = new OpeningSplit(new Path(file.getPath()), partition(split), context, CacheModes.of(session, CacheLayer.FOOTER),
                FooterSessionProperties.bypassed(session), ordered);
        T opened = opening.during(() -> opener.apply(context));
        opening.readColumnsAhead(columns -> habits.get(new Scan(session.getQueryId(), split.getDatabase(), split.getTable(), columns),
                scan -> new ColumnHabits()));
        return opened;
    }

    /** Returns the version in which this thread opened the file of the split that it is opening; empty if it did not, or if the file is not cached. */
    public static Optional<FileVersion> openedVersion()
    {
        return OpeningSplit.openedFile().map(FooterFile::version);
    }

    /** Returns the name of the split's partition; {@code ""} if the table is not partitioned. */
    public static String partition(HiveSplit split)
    {
        String name = split.getPartitionName();
        return name.equals(UNPARTITIONED) ? "" : name;
    }
}
