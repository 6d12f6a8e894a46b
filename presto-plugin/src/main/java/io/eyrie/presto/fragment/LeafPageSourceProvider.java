// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.FixedPageSource;
import com.facebook.presto.spi.SplitContext;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.google.common.base.Suppliers;
import com.google.inject.Inject;
import io.eyrie.presto.affinity.SplitArrivals;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.fragment.DimensionReads.DimensionOpener;
import io.eyrie.presto.handle.DimensionHandle;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.JoinHandle;
import io.eyrie.presto.metastore.StaleListRetries;
import io.eyrie.presto.warm.Warmer;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Serves leaves from their results, or computes them. Loads data for scans that warm the cache, and reads every other scan as usual. */
public final class LeafPageSourceProvider
        implements ConnectorPageSourceProvider
{
    private final CachingPageSourceProvider scans;
    private final SplitArrivals arrivals;
    private final ExcludedSplits excluded;
    private final SplitLeaves leaves;
    private final UnreadSplits unread;
    private final Control control;
    private final Warmer warmer;

    @Inject
    LeafPageSourceProvider(CachingPageSourceProvider scans, SplitArrivals arrivals, ExcludedSplits excluded, SplitLeaves leaves,
            UnreadSplits unread, Control control, Warmer warmer)
    {
        this.unread = requireNonNull(unread, "unread is null");
        this.excluded = requireNonNull(excluded, "excluded is null");
        this.warmer = requireNonNull(warmer, "warmer is null");
        this.control = requireNonNull(control, "control is null");
        this.scans = requireNonNull(scans, "scans is null");
        this.arrivals = requireNonNull(arrivals, "arrivals is null");
        this.leaves = requireNonNull(leaves, "leaves is null");
    }

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
        if (layout instanceof EyrieLayoutHandle steered) {
            control.observe(steered.getControl());
        }
        if (layout instanceof EyrieLayoutHandle handle && handle.getWarming().isPresent()) {
            return warmer.warm(session, (HiveSplit) split, handle, handle.getWarming().get(), columns, splitContext,
                    (read, listener) -> scans.orderedBy(listener).createPageSource(transaction, session, split, layout, read, splitContext, stats));
        }
        if (!(layout instanceof EyrieLayoutHandle handle) || handle.getFragment().isEmpty()) {
            if (EyrieLayoutHandle.isJoined(layout) || columns.stream().anyMatch(JoinHandle::isJoined)) {
                throw new IllegalStateException("The scan stands for joins, but its layout lacks them or what is to be read of them");
            }
            return scans.createPageSource(transaction, session, split, layout, columns, splitContext, stats);
        }
        HiveSplit file = (HiveSplit) split;
        return leaf(transaction, new SplitLeaves.Request(session, file, handle, arrivals.keeps(file, splitContext), true, stats), columns,
                splitContext);
    }

    private ConnectorPageSource leaf(ConnectorTransactionHandle transaction, SplitLeaves.Request leaf, List<ColumnHandle> columns,
            SplitContext splitContext)
    {
        ConnectorSession session = leaf.session();
        HiveSplit split = leaf.split();
        EyrieLayoutHandle handle = leaf.layout();
        RuntimeStats stats = leaf.stats();
        if (excluded.isExcluded(session, split, handle, splitContext)) {
            return new FixedPageSource(List.of());
        }
        int[] asked = handle.places(columns);
        // a dynamic filter belongs to one query, the result to all
        SplitContext context = new SplitContext(splitContext.isCacheable());
        Function<SplitLeaves.EvaluatedLeaf, ConnectorPageSource> lookedUp = judged -> {
            SplitLeaves.SplitLeaf found = leaves.of(judged);
            List<ColumnHandle> used = List.copyOf(found.leaf().columns().values());
            // opened with the first page, on a thread with the engine's class loader; the plugin's is set because serdes are found by name
            Supplier<ConnectorPageSource> scan = () -> withOwnClassLoader(() -> found.none()
                    ? unread.check(found.opening(), () -> scans.createAgain(transaction, session, split, handle.unconstrained(), used,
                            new SplitContext(leaf.kept()), new RuntimeStats()))
                    : scans.createPageSource(transaction, session, split, handle, used, context, stats));
            return handle.getJoin().isEmpty()
                    ? new LeafPageSource(found.lookup(), found.account(), scan, found.runs(), found.beside(), asked, stats)
                    : joined(transaction, leaf, found, scan, asked);
        };
        Function<SplitLeaves.EvaluatedLeaf, ConnectorPageSource> opener = judged -> {
            if (!leaves.needsContents(judged)) {
                return lookedUp.apply(judged);
            }
            JoinProgram program = leaves.program(leaf);
            return new BuildingPageSource(program, dimensions(transaction, leaf), () -> withOwnClassLoader(() -> {
                leaves.remember(judged, program);
                return lookedUp.apply(judged);
            }), stats);
        };
        SplitLeaves.EvaluatedLeaf judged = leaves.judge(leaf);
        List<SplitRanges.UnknownRange> missing = judged.missing();
        if (missing.isEmpty()) {
            return opener.apply(judged);
        }
        List<ColumnHandle> read = missing.stream().<ColumnHandle>map(SplitRanges.UnknownRange::column).toList();
        return new RangePageSource(
                () -> withOwnClassLoader(() -> scans.createAgain(
                        transaction, session, split, handle.unconstrained(), read, new SplitContext(true), stats)),
                missing.stream().map(SplitRanges.UnknownRange::type).toList(),
                leaves.rangeKeeper(judged),
                () -> withOwnClassLoader(() -> opener.apply(leaves.judge(leaf))));
    }

    private LeafPageSource joined(ConnectorTransactionHandle transaction, SplitLeaves.Request leaf, SplitLeaves.SplitLeaf found,
            Supplier<ConnectorPageSource> scan, int[] asked)
    {
        Supplier<JoinPageSource> joined = Suppliers.memoize(() -> new JoinPageSource(
                leaves.program(leaf), dimensions(transaction, leaf), scan, leaf.stats()));
        // a split without a matching row needs no joins
        return new LeafPageSource(
                found.lookup(),
                found.account(),
                found.none() ? scan : joined::get,
                found.none() ? found.runs() : () -> joined.get().run(found.table(), found.runs().get()),
                found.beside(),
                asked,
                leaf.stats());
    }

    private DimensionOpener dimensions(ConnectorTransactionHandle transaction, SplitLeaves.Request fact)
    {
        List<DimensionHandle> dimensions = fact.layout().getJoin().orElseThrow().dimensions();
        return (input, piece, shared) -> withOwnClassLoader(() -> dimension(transaction, fact, dimensions.get(input - 1), piece, shared));
    }

    /* Each worker reads all dimensions, and caches what it reads. */
    private ConnectorPageSource dimension(ConnectorTransactionHandle transaction, SplitLeaves.Request fact, DimensionHandle dimension,
            EyrieSplit split,
            boolean shared)
    {
        EyrieLayoutHandle layout = dimension.layout();
        SplitContext context = new SplitContext(true);
        return StaleListRetries.watched(split, () -> layout.getFragment().isEmpty()
                ? scans.createPageSource(transaction, fact.session(), split, layout, dimension.columns(), context, fact.stats())
                : leaf(transaction, new SplitLeaves.Request(fact.session(), split, layout, arrivals.keeps(split, context), shared, fact.stats()),
                        dimension
                                .columns(), context));
    }

    @SuppressWarnings("try") // the resource is the thread's class loader
    private static <T> T withOwnClassLoader(Supplier<T> opener)
    {
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(LeafPageSourceProvider.class.getClassLoader())) {
            return opener.get();
        }
    }
}
