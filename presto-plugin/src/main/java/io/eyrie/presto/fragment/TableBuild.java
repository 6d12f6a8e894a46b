// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import io.eyrie.fragment.key.RowsDigest;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinBuild;
import io.eyrie.fragment.leaf.JoinTable;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.fragment.DimensionReads.DimensionOpener;
import io.eyrie.presto.fragment.JoinProgram.RowsProgram;
import io.eyrie.presto.handle.EyrieSplit;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * Builds the build side of one join for all splits of a task. The threads of the splits that need it take turns of a few milliseconds. If the build side
 * exceeds the node's memory for build sides, the build ends without a table, and each split then streams the build side.
 */
final class TableBuild
{
    private static final long TURN_NANOS = 10_000_000;

    private final RowsProgram rows;
    private final Supplier<JoinBuild> builds;
    private final Supplier<Optional<RowsDigest>> digests;
    private final BuildMemory memory;
    private final JoinCounters counters;
    private final ReentrantLock turn = new ReentrantLock();
    // written only by the holder of the turn, or if no split uses the build
    private volatile @Nullable Work work;
    private volatile long reservedBytes;
    private volatile long readingBytes;
    private @Nullable Throwable failure;
    private volatile boolean done;
    private volatile @Nullable JoinTable table;
    private volatile Optional<byte[]> content = Optional.empty();

    TableBuild(RowsProgram rows, Supplier<JoinBuild> builds, Supplier<Optional<RowsDigest>> digests, BuildMemory memory, JoinCounters counters)
    {
        this.rows = requireNonNull(rows, "rows is null");
        this.builds = requireNonNull(builds, "builds is null");
        this.digests = requireNonNull(digests, "digests is null");
        this.memory = requireNonNull(memory, "memory is null");
        this.counters = requireNonNull(counters, "counters is null");
    }

    /** A build in progress. */
    private record Work(JoinBuild build, DimensionReads reads, BuildRows rows, Optional<RowsDigest> digest)
    {}

    RowsProgram rows()
    {
        return rows;
    }

    boolean isDone()
    {
        return done;
    }

    /** Returns the table; empty if the build side exceeded the memory. Called only if {@link #isDone}. */
    Optional<JoinTable> table()
    {
        return Optional.ofNullable(table);
    }

    /**
     * Returns the digest of the dimension's rows; empty if the build side exceeded the memory, or if no digest was requested. Called only if
     * {@link #isDone}.
     */
    Optional<byte[]> content()
    {
        return content;
    }

    /**
     * Builds for one turn, unless another thread has the turn.
     *
     * @param opener opens splits of dimensions
     * @param stats receives the event that the build ends without a table
     * @return what the build waits for; empty if another thread has the turn
     */
    Optional<CompletableFuture<?>> advance(DimensionOpener opener, RuntimeStats stats)
    {
        if (!turn.tryLock()) {
            return Optional.empty();
        }
        try {
            if (failure != null) {
                // to continue would lose rows
                throw failure instanceof RuntimeException known ? known : new IllegalStateException("An earlier step of the build failed", failure);
            }
            long until = System.nanoTime() + TURN_NANOS;
            while (!done && System.nanoTime() < until) {
                Work current = work == null ? begin(opener) : work;
                work = current;
                CompletableFuture<?> blocked = current.reads().blocked();
                if (!blocked.isDone()) {
                    return Optional.of(blocked);
                }
                step(current);
                if (done && table == null) {
                    FragmentRuntimeStats.streamed(stats);
                }
            }
            return Optional.of(ConnectorPageSource.NOT_BLOCKED);
        }
        catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
        finally {
            endTurn();
        }
    }

    /**
     * Begins the build, and lets another thread begin to read its dimension, unless another thread has the turn. Has no effect later.
     *
     * @param opener as for {@link #advance}
     */
    void readAhead(DimensionOpener opener)
    {
        if (!turn.tryLock()) {
            return;
        }
        try {
            if (!done && failure == null) {
                Work current = work == null ? begin(opener) : work;
                work = current;
                current.rows().readAhead();
            }
        }
        finally {
            endTurn();
        }
    }

    private void endTurn()
    {
        readingBytes = work == null ? 0 : work.reads().retainedBytes() - work.rows().groupBytes();
        turn.unlock();
    }

    private Work begin(DimensionOpener opener)
    {
        Optional<RowsDigest> digest = digests.get();
        DimensionReads reads = new DimensionReads(new DimensionOpener() {
            @Override
            public ConnectorPageSource open(int input, EyrieSplit split, boolean shared)
            {
                return opener.open(input, split, shared);
            }

            @Override
            public void read(int input, Page page)
            {
                if (input == rows.input()) {
                    digest.ifPresent(content -> content.add(page));
                }
            }
        });
        return new Work(builds.get(), reads, reads.read(rows, GroupPart.ALL, true), digest);
    }

    private void step(Work current)
    {
        if (!current.rows().hasNext()) {
            // groups, if there were any, are rows of the table now
            long needed = current.build().retainedBytes();
            if (needed < reservedBytes) {
                memory.shrink(reservedBytes - needed);
                reservedBytes = needed;
            }
            current.digest().ifPresent(digest -> content = Optional.of(digest.toBytes()));
            end(Optional.of(current.build().finish()));
            return;
        }
        Page page = current.rows().next();
        if (page != LeafRun.NONE_YET) {
            current.build().add(page);
        }
        if (page != LeafRun.NONE_YET || current.rows().groupBytes() > 0) {
            reserve(current.build().retainedBytes() + current.rows().groupBytes());
        }
    }

    private void reserve(long needed)
    {
        long more = needed - reservedBytes;
        if (more <= 0) {
            return;
        }
        if (memory.grow(more)) {
            reservedBytes = needed;
            return;
        }
        release();
        end(Optional.empty());
    }

    private void end(Optional<JoinTable> built)
    {
        clear();
        table = built.orElse(null);
        counters.built(built.isPresent());
        done = true;
    }

    private void clear()
    {
        Work ended = work;
        work = null;
        readingBytes = 0;
        if (ended != null) {
            try {
                ended.reads().close();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void release()
    {
        memory.shrink(reservedBytes);
        reservedBytes = 0;
    }

    /** Discards an unfinished build. Called only if no split uses it. */
    void interrupt()
    {
        if (!done) {
            try {
                clear();
            }
            finally {
                release();
            }
        }
    }

    /** Discards the table and returns the bytes that it held. The next split that needs it builds it again. Called only if no split uses it. */
    long drop()
    {
        long held = reservedBytes;
        reservedBytes = 0;
        table = null;
        done = false;
        return held;
    }

    /** Returns the memory of the table, and of the pages that are read to build it. */
    long retainedBytes()
    {
        return reservedBytes + readingBytes;
    }
}
