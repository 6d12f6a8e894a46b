// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.SplitContext;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingContext;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.connector.classloader.ClassLoaderSafeConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.classloader.ClassLoaderSafeConnectorSplitManager;
import com.google.inject.Inject;
import io.eyrie.presto.affinity.PackedPageSource;
import io.eyrie.presto.affinity.SplitPacking;
import io.eyrie.presto.affinity.SplitPlacer;
import io.eyrie.presto.fragment.LeafPageSourceProvider;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.metastore.StaleListRetries;
import io.eyrie.presto.metastore.TransactionObserver;
import io.eyrie.presto.statistics.FilePruning;
import io.eyrie.presto.warm.WarmSplits;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Passes the splits of a scan, on the coordinator, and their pages, on a worker, through Eyrie's layers in order. Thread-safe. */
final class SplitChain
{
    /*
     * Splits       TransactionObserver              registers the scan before its files are listed
     *              Presto's split manager      lists files and makes splits
     *              FilePruning                 drops splits of files that their footers exclude
     *              SplitPlacer                 names the workers that cache each split
     *              SplitPacking                packs small splits for one worker; or, if the scan warms, which reports each split,
     *              WarmSplits                  ends it at its number of bytes
     * Pages        PackedPageSource            opens one piece of a packed split after the other, the first now, others on the engine's threads
     *  (from the   StaleListRetries                   makes the failure retriable if a file of a cached list is gone
     *   engine)    LeafPageSourceProvider      serves or computes the result of a leaf, or warms the split
     *              CachingPageSourceProvider   informs the file system which split is opened, and whether it is cached here
     *              Presto's provider           opens a record reader or a batch reader
     * Class loader The engine calls with its own class loader as the thread's; the classes that Presto's Hive code loads by name are in the plugin's folder
     */
    private final ConnectorSplitManager splits;
    private final ConnectorPageSourceProvider pages;
    private final TransactionObserver queries;
    private final SplitSteps steps;
    private final Ledger ledger;

    /**
     * What becomes of splits that Presto's split manager makes.
     *
     * @param pruning present if data is cached
     */
    record SplitSteps(Optional<FilePruning> pruning, SplitPlacer placer, SplitPacking packing)
    {
        @Inject
        SplitSteps
        {
            requireNonNull(pruning, "pruning is null");
            requireNonNull(placer, "placer is null");
            requireNonNull(packing, "packing is null");
        }
    }

    /** @param splits Presto's own */
    @Inject
    SplitChain(
            ConnectorSplitManager splits,
            TransactionObserver queries,
            SplitSteps steps,
            LeafPageSourceProvider pages,
            Ledger ledger)
    {
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.splits = requireNonNull(splits, "splits is null");
        this.queries = requireNonNull(queries, "queries is null");
        this.steps = requireNonNull(steps, "steps is null");
        this.pages = new ClassLoaderSafeConnectorPageSourceProvider(pages, SplitChain.class.getClassLoader());
    }

    ConnectorSplitManager splitManager()
    {
        return new ClassLoaderSafeConnectorSplitManager(this::splits, SplitChain.class.getClassLoader());
    }

    private ConnectorSplitSource splits(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorTableLayoutHandle layout,
            SplitSchedulingContext context)
    {
        queries.scanStarts(transaction, session, layout);
        ConnectorSplitSource all = splits.getSplits(transaction, session, layout, context);
        ConnectorSplitSource left = steps.pruning().map(files -> files.pruned(all, transaction, session, layout)).orElse(all);
        ConnectorSplitSource placed = steps.placer().placed(left, session, layout, context);
        return layout instanceof EyrieLayoutHandle scan && scan.getWarming().isPresent()
                ? new WarmSplits(placed, scan.getWarming().get().maxBytes(), session.getWarningCollector())
                : steps.packing().packed(placed, session, EyrieLayoutHandle.isLeaf(layout));
    }

    ConnectorPageSourceProvider pageSourceProvider()
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
                ledger.began(session.getQueryId(), session.getUser());
                return PackedPageSource.of(split, stats, piece -> StaleListRetries.watched(
                        piece, () -> pages.createPageSource(transaction, session, piece, layout, columns, context, stats)));
            }
        };
    }
}
