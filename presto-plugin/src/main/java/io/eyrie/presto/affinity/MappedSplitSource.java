// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/**
 * Replaces the splits of another source, batch by batch. Failures of the delegate are passed on unchanged. Only the last batch may be empty: the engine asks for
 * the batch after an empty one on the same stack.
 */
public final class MappedSplitSource
        implements ConnectorSplitSource
{
    private final ConnectorSplitSource delegate;
    private final UnaryOperator<List<ConnectorSplit>> mapping;

    public MappedSplitSource(ConnectorSplitSource delegate, UnaryOperator<List<ConnectorSplit>> mapping)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.mapping = requireNonNull(mapping, "mapping is null");
    }

    @Override
    public CompletableFuture<ConnectorSplitBatch> getNextBatch(ConnectorPartitionHandle partition, int maxSize)
    {
        CompletableFuture<ConnectorSplitBatch> answer = new CompletableFuture<>();
        answer(answer, partition, maxSize);
        return answer;
    }

    /* Takes batches until one is not empty after the mapping. If the next batch is not complete yet, continues when it completes. */
    private void answer(CompletableFuture<ConnectorSplitBatch> answer, ConnectorPartitionHandle partition, int maxSize)
    {
        while (!answer.isDone()) {
            CompletableFuture<ConnectorSplitBatch> batch = delegate.getNextBatch(partition, maxSize);
            boolean complete = batch.isDone();
            PlacedSplitSource.whenDone(batch, (splits, failure) -> {
                // a failure that was only thrown here would make the engine wait forever
                try {
                    map(answer, splits, failure);
                    if (!complete) {
                        answer(answer, partition, maxSize);
                    }
                }
                catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                }
            });
            if (!complete) {
                return;
            }
        }
    }

    private void map(CompletableFuture<ConnectorSplitBatch> answer, @Nullable ConnectorSplitBatch batch, @Nullable Throwable failure)
    {
        if (batch == null) {
            answer.completeExceptionally(failure);
            return;
        }
        List<ConnectorSplit> mapped = mapping.apply(batch.getSplits());
        if (!mapped.isEmpty() || batch.isNoMoreSplits()) {
            answer.complete(new ConnectorSplitBatch(mapped, batch.isNoMoreSplits()));
        }
    }

    @Override
    public void rewind(ConnectorPartitionHandle partition)
    {
        delegate.rewind(partition);
    }

    @Override
    public boolean isFinished()
    {
        return delegate.isFinished();
    }

    @Override
    public void close()
    {
        delegate.close();
    }
}
