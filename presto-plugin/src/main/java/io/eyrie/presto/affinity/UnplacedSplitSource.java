package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

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
        return mapped(delegate.getNextBatch(partition, maxSize), splits -> splits.stream()
                .map(split -> ScanPlacement.unplaced(split, controlEpoch.getAsLong()))
                .toList());
    }

    /** A batch with other splits in the place of its own; its failure is the batch's own. */
    static CompletableFuture<ConnectorSplitBatch> mapped(CompletableFuture<ConnectorSplitBatch> batch, UnaryOperator<List<ConnectorSplit>> splits)
    {
        CompletableFuture<ConnectorSplitBatch> answer = new CompletableFuture<>();
        PlacedSplitSource.whenDone(batch, (done, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
                return;
            }
            try {
                answer.complete(new ConnectorSplitBatch(splits.apply(done.getSplits()), done.isNoMoreSplits()));
            }
            catch (RuntimeException e) {
                // nobody else would end the engine's waiting
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
