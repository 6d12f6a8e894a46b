package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;
import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/** The splits of a scan, packed batch by batch. */
final class PackedSplitSource
        implements ConnectorSplitSource
{
    private final ConnectorSplitSource delegate;
    @GuardedBy("this")
    private final SplitPacker packer;

    PackedSplitSource(ConnectorSplitSource delegate, SplitPacker packer)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.packer = requireNonNull(packer, "packer is null");
    }

    @Override
    public CompletableFuture<ConnectorSplitBatch> getNextBatch(ConnectorPartitionHandle partition, int maxSize)
    {
        return UnplacedSplitSource.mapped(delegate.getNextBatch(partition, maxSize), splits -> {
            synchronized (this) {
                return packer.pack(splits);
            }
        });
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
