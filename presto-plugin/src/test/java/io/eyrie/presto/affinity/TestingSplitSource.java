// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A split source whose batches arrive when the test offers them, as Hive's arrive when the store has listed more. Not thread-safe. */
final class TestingSplitSource
        implements ConnectorSplitSource
{
    private final Queue<CompletableFuture<ConnectorSplitBatch>> batches = new ArrayDeque<>();
    private @Nullable CompletableFuture<ConnectorSplitBatch> waiting;
    private boolean closed;
    private boolean lastGiven;
    int rewinds;
    /** Runs once, at the beginning of the next call that finds it. */
    @Nullable
    Runnable meanwhile;

    /** Offers a batch to the waiting caller, or else to the next one. */
    void offer(List<? extends ConnectorSplit> splits, boolean last)
    {
        ConnectorSplitBatch batch = new ConnectorSplitBatch(List.copyOf(splits), last);
        lastGiven |= last;
        CompletableFuture<ConnectorSplitBatch> asked = waiting;
        if (asked == null) {
            batches.add(CompletableFuture.completedFuture(batch));
            return;
        }
        waiting = null;
        asked.complete(batch);
    }

    void fail(RuntimeException failure)
    {
        CompletableFuture<ConnectorSplitBatch> asked = waiting;
        if (asked == null) {
            batches.add(CompletableFuture.failedFuture(failure));
            return;
        }
        waiting = null;
        asked.completeExceptionally(failure);
    }

    @Override
    public CompletableFuture<ConnectorSplitBatch> getNextBatch(ConnectorPartitionHandle partition, int maxSize)
    {
        Runnable once = batches.isEmpty() ? meanwhile : null;
        if (once != null) {
            meanwhile = null;
            once.run();
        }
        if (closed) {
            throw new IllegalStateException("closed");
        }
        if (waiting != null) {
            throw new IllegalStateException("a batch is under way");
        }
        CompletableFuture<ConnectorSplitBatch> there = batches.poll();
        if (there != null) {
            return there;
        }
        waiting = new CompletableFuture<>();
        return waiting;
    }

    @Override
    public void rewind(ConnectorPartitionHandle partition)
    {
        rewinds++;
    }

    @Override
    public boolean isFinished()
    {
        return lastGiven && batches.isEmpty();
    }

    @Override
    public void close()
    {
        closed = true;
    }
}
