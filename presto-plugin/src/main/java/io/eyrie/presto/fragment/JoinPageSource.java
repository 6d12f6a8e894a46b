// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import com.google.common.io.Closer;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.fragment.DimensionReads.DimensionOpener;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Takes part in building the build sides of a joined scan, then returns the pages of one split of the fact. Used by one thread at a time. */
final class JoinPageSource
        extends BuildingPageSource
{
    private final JoinProgram program;
    private final DimensionReads reads;

    /**
     * @param dimensions opens a split of a dimension
     * @param opener opens the split of the fact
     */
    JoinPageSource(JoinProgram program, DimensionOpener dimensions, Supplier<ConnectorPageSource> opener, RuntimeStats stats)
    {
        super(program, dimensions, opener, stats);
        this.program = program;
        this.reads = new DimensionReads(dimensions);
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
        CompletableFuture<?> streamed = reads.blocked();
        return streamed.isDone() ? super.isBlocked() : streamed;
    }

    @Override
    public long getSystemMemoryUsage()
    {
        return super.getSystemMemoryUsage() + reads.retainedBytes();
    }

    @Override
    public void close()
            throws IOException
    {
        try (Closer closer = Closer.create()) {
            closer.register(super::close);
            closer.register(reads);
        }
    }
}
