// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.WarningCollector;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingContext;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.google.inject.Inject;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.filesystem.StoreIds;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.metastore.TransactionObserver;
import org.apache.hadoop.fs.Path;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import static com.facebook.presto.spi.connector.ConnectorSplitManager.SplitSchedulingStrategy.UNGROUPED_SCHEDULING;
import static com.facebook.presto.spi.connector.NotPartitionedPartitionHandle.NOT_PARTITIONED;
import static java.util.Objects.requireNonNull;

/** Lists the files of tables while a query is planned, up to the bounds of a dimension, and until a deadline. Thread-safe. */
final class DimensionListing
{
    private static final int BATCH = 1000;
    // metastores and stores that hang occupy threads: with no thread free, nothing is listed
    private static final int MAX_THREADS = 16;
    private static final int IDLE_SECONDS = 60;

    private final ConnectorSplitManager splits;
    private final ScanStart queries;
    private final LongSupplier epoch;
    private final Rights rights;
    private final Executor threads = threads();
    // apart, so that a query of many tables leaves threads for other queries
    private final Executor aheadThreads = threads();

    /** Receives each scan before it requests splits. */
    interface ScanStart
    {
        void scanStarts(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableLayoutHandle layout);
    }

    /** Whether users have individual rights to a file. */
    interface Rights
    {
        boolean arePersonal(ConnectorSession session, EyrieSplit file, EyrieLayoutHandle layout);
    }

    @Inject
    DimensionListing(ConnectorSplitManager splits, TransactionObserver queries, Control control, HdfsEnvironment hdfs, StoreIds stores)
    {
        this(splits, queries::scanStarts, control::epoch, (session, file, layout) -> stores.isPersonal(hdfs.getConfiguration(
                SplitVersions.context(session, file, layout), new Path(file.getFileSplit().getPath()))));
    }

    DimensionListing(ConnectorSplitManager splits, ScanStart queries, LongSupplier epoch, Rights rights)
    {
        this.rights = requireNonNull(rights, "rights is null");
        this.splits = requireNonNull(splits, "splits is null");
        this.queries = requireNonNull(queries, "queries is null");
        this.epoch = requireNonNull(epoch, "epoch is null");
    }

    private static Executor threads()
    {
        return new ThreadPoolExecutor(0, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "eyrie-dimension-listing");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * The files of a table.
     *
     * @param splits all splits; empty if the files exceed the bounds
     */
    record TableFiles(long bytes, Optional<List<EyrieSplit>> splits)
    {}

    /** Whether users have individual rights to the files of a table, so that each worker asks the store for them, one file after the other. */
    boolean arePersonal(ConnectorSession session, List<EyrieSplit> files, EyrieLayoutHandle layout)
    {
        return !files.isEmpty() && rights.arePersonal(session, files.get(0), layout);
    }

    /** Begins to list tables at the same time. Each is then read in its turn. */
    TableListings begin(List<TableHandle> tables, ConnectorSession session)
    {
        return new TableListings(tables, session);
    }

    /** Tables that are being listed. Used by one thread. */
    final class TableListings
            implements AutoCloseable
    {
        private final ConnectorSession session;
        private final Queue<TableHandle> tables;
        // of the same tables, in the same order; empty if no thread was free
        private final Queue<Optional<CompletableFuture<ConnectorSplitSource>>> begun = new ArrayDeque<>();

        private TableListings(List<TableHandle> tables, ConnectorSession session)
        {
            this.tables = new ArrayDeque<>(tables);
            this.session = session;
            for (TableHandle table : tables) {
                queries.scanStarts(table.getTransaction(), session, table.getLayout().orElseThrow());
                begun.add(begin(table, begun.isEmpty() ? threads : aheadThreads));
            }
        }

        private Optional<CompletableFuture<ConnectorSplitSource>> begin(TableHandle table, Executor executor)
        {
            try {
                return Optional.of(CompletableFuture.supplyAsync(() -> source(table, session), executor));
            }
            catch (RejectedExecutionException e) {
                return Optional.empty();
            }
        }

        /**
         * Lists the next table until a bound is exceeded.
         *
         * @param deadlineNanos the {@link System#nanoTime} after which nothing is returned
         * @return empty if the time was up, or if the files cannot be listed
         */
        Optional<TableFiles> next(long maxBytes, int maxSplits, long deadlineNanos)
        {
            TableHandle table = tables.remove();
            Optional<CompletableFuture<ConnectorSplitSource>> next = begun.remove().or(() -> begin(table, threads));
            try {
                return next.flatMap(source -> await(source, deadlineNanos)).flatMap(source -> read(source, maxBytes, maxSplits, deadlineNanos));
            }
            finally {
                next.ifPresent(DimensionListing::close);
            }
        }

        @Override
        public void close()
        {
            begun.forEach(rest -> rest.ifPresent(DimensionListing::close));
        }
    }

    /* Now, or when the metastore answers. */
    private static void close(CompletableFuture<ConnectorSplitSource> begun)
    {
        CompletableFuture<Void> unused = begun.thenAccept(ConnectorSplitSource::close);
    }

    /* Asks the metastore. */
    @SuppressWarnings("try") // the resource is the thread's class loader
    private ConnectorSplitSource source(TableHandle table, ConnectorSession session)
    {
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(DimensionListing.class.getClassLoader())) {
            return splits.getSplits(
                    table.getTransaction(),
                    session,
                    table.getLayout().orElseThrow(),
                    new SplitSchedulingContext(UNGROUPED_SCHEDULING, false, WarningCollector.NOOP));
        }
    }

    private static <T> Optional<T> await(CompletableFuture<T> future, long deadlineNanos)
    {
        try {
            return Optional.of(future.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS));
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        catch (TimeoutException e) {
            return Optional.empty();
        }
        catch (ExecutionException e) {
            // the scan itself reports the failure
            return Optional.empty();
        }
    }

    @SuppressWarnings("try") // the resource is the thread's class loader
    private Optional<TableFiles> read(ConnectorSplitSource source, long maxBytes, int maxSplits, long deadlineNanos)
    {
        long known = epoch.getAsLong();
        List<EyrieSplit> listed = new ArrayList<>();
        long bytes = 0;
        boolean last = false;
        while (!last) {
            Optional<ConnectorSplitSource.ConnectorSplitBatch> next;
            try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(DimensionListing.class.getClassLoader())) {
                next = await(source.getNextBatch(NOT_PARTITIONED, BATCH), deadlineNanos);
            }
            if (next.isEmpty()) {
                return Optional.empty();
            }
            ConnectorSplitSource.ConnectorSplitBatch batch = next.get();
            for (ConnectorSplit split : batch.getSplits()) {
                HiveSplit file = (HiveSplit) split;
                bytes += file.getFileSplit().getLength();
                listed.add(EyrieSplit.of(file, Optional.empty(), known));
            }
            if (bytes > maxBytes || listed.size() > maxSplits) {
                return Optional.of(new TableFiles(bytes, Optional.empty()));
            }
            last = batch.isNoMoreSplits();
        }
        return Optional.of(new TableFiles(bytes, Optional.of(listed)));
    }
}
