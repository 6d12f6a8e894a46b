package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/** The splits of a scan that the engine schedules by rules of its own, as Presto made them, in the connector's class. */
final class UnplacedSplitSource
        implements ConnectorSplitSource
{
    private final ConnectorSplitSource delegate;
    private final LongSupplier controlEpoch;

    UnplacedSplitSource(ConnectorSplitSource delegate, LongSupplier controlEpoch)
    {
        this.controlEpoch = requireNonNull(controlEpoch, "controlEpoch is null");
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    @Override
    public CompletableFuture<ConnectorSplitBatch> getNextBatch(ConnectorPartitionHandle partition, int maxSize)
    {
        CompletableFuture<ConnectorSplitBatch> answer = new CompletableFuture<>();
        PlacedSplitSource.whenDone(delegate.getNextBatch(partition, maxSize), (batch, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            }
            else {
                answer.complete(new ConnectorSplitBatch(batch.getSplits().stream().map(split -> ScanPlacement.unplaced(split, controlEpoch
                        .getAsLong())).toList(), batch.isNoMoreSplits()));
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
