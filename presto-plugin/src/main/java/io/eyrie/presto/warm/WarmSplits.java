// SPDX-License-Identifier: Apache-2.0
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

/** Limits the splits of a scan to a number of bytes, in their order: omits the first split that would exceed it and all splits after that. Thread-safe. */
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
