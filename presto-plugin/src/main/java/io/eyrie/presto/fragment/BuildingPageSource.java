// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import com.google.common.io.Closer;
import io.eyrie.presto.fragment.DimensionReads.DimensionOpener;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Takes part in building the build sides of a joined scan without returning a page, then acts as the page source that the opener returns. Used by one
 * thread at a time.
 */
class BuildingPageSource
        implements ConnectorPageSource
{
    private final JoinProgram program;
    private final DimensionOpener dimensions;
    private final Supplier<ConnectorPageSource> opener;
    private final RuntimeStats stats;
    private CompletableFuture<?> waiting = NOT_BLOCKED;
    private @Nullable ConnectorPageSource source;
    private boolean used;
    private boolean closed;

    /**
     * @param dimensions opens a split of a dimension
     * @param opener opens the source when the build sides are complete; called at most once
     */
    BuildingPageSource(JoinProgram program, DimensionOpener dimensions, Supplier<ConnectorPageSource> opener, RuntimeStats stats)
    {
        this.program = requireNonNull(program, "program is null");
        this.dimensions = requireNonNull(dimensions, "dimensions is null");
        this.opener = requireNonNull(opener, "opener is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return source == null ? waiting : source.isBlocked();
    }

    @Override
    public @Nullable Page getNextPage()
    {
        if (closed) {
            return null;
        }
        if (!used) {
            used = true;
            program.acquire();
        }
        if (source == null) {
            if (!program.isReady()) {
                waiting = program.advance(dimensions, stats);
                return null;
            }
            source = opener.get();
        }
        return source.isFinished() ? null : source.getNextPage();
    }

    @Override
    public boolean isFinished()
    {
        return closed || (source != null && source.isFinished());
    }

    @Override
    public long getCompletedBytes()
    {
        return source == null ? 0 : source.getCompletedBytes();
    }

    @Override
    public long getCompletedPositions()
    {
        return source == null ? 0 : source.getCompletedPositions();
    }

    @Override
    public long getReadTimeNanos()
    {
        return source == null ? 0 : source.getReadTimeNanos();
    }

    @Override
    public long getSystemMemoryUsage()
    {
        return (source == null ? 0 : source.getSystemMemoryUsage()) + (used && !closed ? program.bytesPerUser() : 0);
    }

    @Override
    public RuntimeStats getRuntimeStats()
    {
        return source == null ? new RuntimeStats() : source.getRuntimeStats();
    }

    @Override
    public void close()
            throws IOException
    {
        if (closed) {
            return;
        }
        closed = true;
        try (Closer closer = Closer.create()) {
            if (used) {
                closer.register(program::release);
            }
            if (source != null) {
                closer.register(source);
            }
        }
    }
}
