// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import com.google.common.io.Closer;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.fragment.DimensionReads.DimensionOpener;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Takes part in building the build sides of a joined scan, then returns the pages of one split of the fact. Used by one thread at a time. */
final class JoinPageSource
        implements ConnectorPageSource
{
    private final JoinProgram program;
    private final DimensionOpener dimensions;
    private final DimensionReads reads;
    private final Supplier<ConnectorPageSource> opener;
    private final RuntimeStats stats;
    private @Nullable ConnectorPageSource fact;
    private CompletableFuture<?> waiting = NOT_BLOCKED;
    private boolean used;
    private boolean closed;

    /**
     * @param dimensions opens a split of a dimension
     * @param opener opens the split of the fact
     */
    JoinPageSource(JoinProgram program, DimensionOpener dimensions, Supplier<ConnectorPageSource> opener, RuntimeStats stats)
    {
        this.program = requireNonNull(program, "program is null");
        this.dimensions = requireNonNull(dimensions, "dimensions is null");
        this.reads = new DimensionReads(dimensions);
        this.opener = requireNonNull(opener, "opener is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    /**
     * Returns a run over this source's pages.
     *
     * @param table a run of the leaf over the fact's table
     * @param last a run of the leaf over the rows of the joins
     */
    LeafRun run(Supplier<LeafRun> table, LeafRun last)
    {
        return new PipelineRun(() -> {
            List<LeafRun> runs = new ArrayList<>(List.of(table.get()));
            runs.addAll(program.rows().runs(reads));
            return runs;
        }, last);
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        if (fact == null) {
            return waiting;
        }
        CompletableFuture<?> streamed = reads.blocked();
        return streamed.isDone() ? fact.isBlocked() : streamed;
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
        if (fact == null) {
            if (!program.isReady()) {
                waiting = program.advance(dimensions, stats);
                return null;
            }
            fact = opener.get();
        }
        return fact.isFinished() ? null : fact.getNextPage();
    }

    @Override
    public boolean isFinished()
    {
        return closed || (fact != null && fact.isFinished());
    }

    @Override
    public long getCompletedBytes()
    {
        return fact == null ? 0 : fact.getCompletedBytes();
    }

    @Override
    public long getCompletedPositions()
    {
        return fact == null ? 0 : fact.getCompletedPositions();
    }

    @Override
    public long getReadTimeNanos()
    {
        return fact == null ? 0 : fact.getReadTimeNanos();
    }

    @Override
    public long getSystemMemoryUsage()
    {
        return (fact == null ? 0 : fact.getSystemMemoryUsage()) + reads.retainedBytes() + (used && !closed ? program.bytesPerUser() : 0);
    }

    @Override
    public RuntimeStats getRuntimeStats()
    {
        return fact == null ? new RuntimeStats() : fact.getRuntimeStats();
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
            if (fact != null) {
                closer.register(fact);
            }
            closer.register(reads);
        }
    }
}
