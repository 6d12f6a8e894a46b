// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.PrestoWarning;
import com.facebook.presto.spi.WarningCollector;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static com.facebook.presto.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static com.facebook.presto.spi.StandardWarningCode.PARTIAL_RESULT_WARNING;
import static java.util.Objects.requireNonNull;

/**
 * Limits the splits of a scan to a number of bytes, in their order: omits the first split that would exceed it and all splits after that, with a
 * warning. Fails if that is the very first split. Thread-safe.
 */
public final class WarmSplits
        implements ConnectorSplitSource
{
    private final ConnectorSplitSource delegate;
    private final long maxBytes;
    private final WarningCollector warnings;

    @GuardedBy("this")
    private long leftBytes;
    @GuardedBy("this")
    private boolean full;

    /** @param warnings receives a warning if splits are omitted */
    public WarmSplits(ConnectorSplitSource delegate, long maxBytes, WarningCollector warnings)
    {
        this.maxBytes = maxBytes;
        this.warnings = requireNonNull(warnings, "warnings is null");
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
            HiveFileSplit file = ((HiveSplit) split).getFileSplit();
            long length = file.getLength();
            if (!full && length > leftBytes) {
                full = true;
                omit(file);
            }
            if (!full) {
                leftBytes -= length;
                taken.add(split);
            }
        }
        return new ConnectorSplitBatch(taken, full || batch.isNoMoreSplits());
    }

    @GuardedBy("this")
    private void omit(HiveFileSplit split)
    {
        if (leftBytes == maxBytes) {
            throw new PrestoException(INVALID_FUNCTION_ARGUMENT, "max_size is " + maxBytes + "B, but the first split has " + split.getLength()
                    + " bytes (" + split.getPath() + "): nothing would be warmed. Specify at least as much");
        }
        warnings.add(new PrestoWarning(PARTIAL_RESULT_WARNING, "warm_cache ends at max_size: " + (maxBytes - leftBytes)
                + " bytes are warmed; the split of " + split.getPath() + " and all after it are not"));
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
