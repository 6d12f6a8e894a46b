package io.eyrie.presto.warm;

import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/** The splits of a scan up to a number of bytes, as they come: the one that would go beyond it is the first that is left out. Thread-safe. */
public final class WarmSplits
        implements ConnectorSplitSource
{
    private final ConnectorSplitSource delegate;

    @GuardedBy("this")
    private long leftBytes;
    @GuardedBy("this")
    private boolean full;

    public WarmSplits(ConnectorSplitSource delegate, long maxBytes)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        leftBytes = maxBytes;
    }

    @Override
    public CompletableFuture<ConnectorSplitBatch> getNextBatch(ConnectorPartitionHandle partition, int maxSize)
    {
        return delegate.getNextBatch(partition, maxSize).thenApply(this::bounded);
    }

    private synchronized ConnectorSplitBatch bounded(ConnectorSplitBatch batch)
    {
        List<ConnectorSplit> taken = new ArrayList<>();
        for (ConnectorSplit split : batch.getSplits()) {
            long length = ((HiveSplit) split).getFileSplit().getLength();
            full |= length > leftBytes;
            if (!full) {
                leftBytes -= length;
                taken.add(split);
            }
        }
        return new ConnectorSplitBatch(taken, full || batch.isNoMoreSplits());
    }

    @Override
    public void rewind(ConnectorPartitionHandle partition)
    {
        throw new UnsupportedOperationException("warm_cache is not scheduled by lifespan");
    }

    @Override
    public synchronized boolean isFinished()
    {
        return full || delegate.isFinished();
    }

    @Override
    public void close()
    {
        delegate.close();
    }
}
