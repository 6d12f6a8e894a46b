// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/** Replaces the splits of another source, batch by batch. Failures of the delegate are passed on unchanged. */
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
        PlacedSplitSource.whenDone(delegate.getNextBatch(partition, maxSize), (batch, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
                return;
            }
            try {
                answer.complete(new ConnectorSplitBatch(mapping.apply(batch.getSplits()), batch.isNoMoreSplits()));
            }
            catch (RuntimeException e) {
                // without this, the engine would wait forever
                answer.completeExceptionally(e);
            }
        });
        return answer;
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
