package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.HiveColumnHandle;
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
import com.google.inject.Inject;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.presto.affinity.SplitArrivals;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.warm.Warmer;

import java.util.List;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Serves leaves from their results, or computes them; warms what a scan wants warmed; every other scan is read as without. */
public final class LeafPageSourceProvider
        implements ConnectorPageSourceProvider
{
    private final CachingPageSourceProvider scans;
    private final SplitArrivals arrivals;
    private final SplitLeaves leaves;
    private final Control control;
    private final Warmer warmer;

    @Inject
    LeafPageSourceProvider(CachingPageSourceProvider scans, SplitArrivals arrivals, SplitLeaves leaves, Control control,
            Warmer warmer)
    {
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
        if (layout instanceof FragmentLayoutHandle steered) {
            control.observe(steered.getControl());
        }
        if (layout instanceof FragmentLayoutHandle handle && handle.getWarming().isPresent()) {
            return warmer.warm(session, (HiveSplit) split, handle, handle.getWarming().get(), columns, splitContext,
                    read -> scans.createPageSource(transaction, session, split, layout, read, splitContext, stats));
        }
        if (!(layout instanceof FragmentLayoutHandle handle) || handle.getFragment().isEmpty()) {
            return scans.createPageSource(transaction, session, split, layout, columns, splitContext, stats);
        }
        int[] asked = columns.stream().mapToInt(column -> ((HiveColumnHandle) column).getHiveColumnIndex()).toArray();
        boolean kept = arrivals.keeps((HiveSplit) split, splitContext);
        SplitLeaves.SplitLeaf found = leaves.of(session, (HiveSplit) split, handle, kept, stats);
        Leaf leaf = found.leaf();
        // a dynamic filter belongs to one query, the result to all
        SplitContext context = new SplitContext(splitContext.isCacheable());
        // opened when the first page is asked for, in a thread with the engine's class loader: serdes are found by name
        Supplier<ConnectorPageSource> scan = () -> found.none()
                ? new FixedPageSource(List.of())
                : withOwnClassLoader(
                        () -> scans.createPageSource(transaction, session, split, layout, List.copyOf(leaf.columns().values()), context, stats));
        return new LeafPageSource(found.lookup(), found.account(), scan, found.runs(), asked, stats);
    }

    @SuppressWarnings("try") // the resource is the thread's class loader
    private static <T> T withOwnClassLoader(Supplier<T> opener)
    {
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(LeafPageSourceProvider.class.getClassLoader())) {
            return opener.get();
        }
    }
}
