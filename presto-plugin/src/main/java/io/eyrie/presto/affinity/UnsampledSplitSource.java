// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.presto.spi.ConnectorSplitSource;
import com.facebook.presto.spi.connector.ConnectorPartitionHandle;
import io.eyrie.cache.host.HostMethods;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/**
 * Passes the splits of a scan through another source, unless the engine samples the scan: {@code TABLESAMPLE SYSTEM} keeps or drops each split at
 * random, and its unit must stay the file. Used by one thread at a time.
 */
final class UnsampledSplitSource
        implements ConnectorSplitSource
{
    /*
     * The engine gives a connector no other sign of a sample: neither optimizers nor split managers see the sample's plan node (decision 0033).
     * The engine's SampledSplitSource asks the connector's source for the first batch on its own thread.
     */
    private static final String SAMPLES = "com.facebook.presto.split.SampledSplitSource";

    /** Fails if the engine lacks the method whose calls are recognized. */
    static void requireHost(ClassLoader engine)
    {
        HostMethods.require(engine, SAMPLES, "getNextBatch");
    }

    private final ConnectorSplitSource splits;
    private final UnaryOperator<ConnectorSplitSource> other;
    private @Nullable ConnectorSplitSource chosen;

    UnsampledSplitSource(ConnectorSplitSource splits, UnaryOperator<ConnectorSplitSource> other)
    {
        this.splits = requireNonNull(splits, "splits is null");
        this.other = requireNonNull(other, "other is null");
    }

    @Override
    public CompletableFuture<ConnectorSplitBatch> getNextBatch(ConnectorPartitionHandle partition, int maxSize)
    {
        ConnectorSplitSource source = chosen;
        if (source == null) {
            source = isSampled() ? splits : other.apply(splits);
            chosen = source;
        }
        return source.getNextBatch(partition, maxSize);
    }

    private static boolean isSampled()
    {
        return StackWalker.getInstance().walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(SAMPLES)));
    }

    @Override
    public void rewind(ConnectorPartitionHandle partition)
    {
        splits.rewind(partition);
    }

    @Override
    public boolean isFinished()
    {
        return splits.isFinished();
    }

    @Override
    public void close()
    {
        splits.close();
    }
}
