// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;

/** A page source whose failures {@link StaleListRetries} marks. It is not a record page source, even if its delegate is one: the engine reads pages. */
final class WatchedPageSource
        implements ConnectorPageSource
{
    private final ConnectorPageSource delegate;

    WatchedPageSource(ConnectorPageSource delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    @Override
    public @Nullable Page getNextPage()
    {
        Page page = StaleListRetries.marking(delegate::getNextPage);
        return page == null ? null : StaleListRetries.marking(page);
    }

    @Override
    public long getCompletedBytes()
    {
        return delegate.getCompletedBytes();
    }

    @Override
    public long getCompletedPositions()
    {
        return delegate.getCompletedPositions();
    }

    @Override
    public long getReadTimeNanos()
    {
        return delegate.getReadTimeNanos();
    }

    @Override
    public boolean isFinished()
    {
        return delegate.isFinished();
    }

    @Override
    public long getSystemMemoryUsage()
    {
        return delegate.getSystemMemoryUsage();
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return delegate.isBlocked();
    }

    @Override
    public RuntimeStats getRuntimeStats()
    {
        return delegate.getRuntimeStats();
    }

    @Override
    public void close()
            throws IOException
    {
        delegate.close();
    }
}
