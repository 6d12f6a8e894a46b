// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.WarningCollector;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingContext;
import com.google.inject.Inject;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.metastore.TransactionObserver;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import static com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingStrategy.UNGROUPED_SCHEDULING;
import static com.facebook.presto.spi.connector.NotPartitionedPartitionHandle.NOT_PARTITIONED;
import static java.util.Objects.requireNonNull;

/** Lists the files of tables while a query is planned, as far as they may be a dimension. Thread-safe. */
final class DimensionListing
{
    private static final int BATCH = 1000;

    private final ConnectorSplitManager splits;
    private final TransactionObserver queries;
    private final Control control;

    @Inject
    DimensionListing(ConnectorSplitManager splits, TransactionObserver queries, Control control)
    {
        this.splits = requireNonNull(splits, "splits is null");
        this.queries = requireNonNull(queries, "queries is null");
        this.control = requireNonNull(control, "control is null");
    }

    /**
     * The files of a table.
     *
     * @param splits all splits; empty if the files exceed the bounds
     */
    record TableFiles(long bytes, Optional<List<EyrieSplit>> splits)
    {}

    /**
     * Lists a table until a bound is exceeded.
     *
     * @param deadlineNanos the {@link System#nanoTime} after which nothing is returned
     * @return empty if the time was up
     */
    @SuppressWarnings("try") // the resource is the thread's class loader
    Optional<TableFiles> list(TableHandle table, ConnectorSession session, long maxBytes, int maxSplits, long deadlineNanos)
    {
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(DimensionListing.class.getClassLoader())) {
            queries.scanStarts(table.getTransaction(), session, table.getLayout().orElseThrow());
            ConnectorSplitSource source = splits.getSplits(
                    table.getTransaction(),
                    session,
                    table.getLayout().orElseThrow(),
                    new SplitSchedulingContext(UNGROUPED_SCHEDULING, false, WarningCollector.NOOP));
            try {
                return read(source, maxBytes, maxSplits, deadlineNanos);
            }
            finally {
                source.close();
            }
        }
    }

    private Optional<TableFiles> read(ConnectorSplitSource source, long maxBytes, int maxSplits, long deadlineNanos)
    {
        long epoch = control.epoch();
        List<EyrieSplit> listed = new ArrayList<>();
        long bytes = 0;
        boolean last = false;
        while (!last) {
            ConnectorSplitSource.ConnectorSplitBatch batch;
            try {
                batch = source.getNextBatch(NOT_PARTITIONED, BATCH).get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
            catch (TimeoutException e) {
                return Optional.empty();
            }
            catch (ExecutionException e) {
                // the scan itself will fail, or not
                return Optional.empty();
            }
            for (ConnectorSplit split : batch.getSplits()) {
                HiveSplit file = (HiveSplit) split;
                bytes += file.getFileSplit().getLength();
                listed.add(EyrieSplit.of(file, Optional.empty(), epoch));
            }
            if (bytes > maxBytes || listed.size() > maxSplits) {
                return Optional.of(new TableFiles(bytes, Optional.empty()));
            }
            last = batch.isNoMoreSplits();
        }
        return Optional.of(new TableFiles(bytes, Optional.of(listed)));
    }
}
