// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import io.eyrie.fragment.leaf.JoinBuild;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.JoinTable;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.fragment.JoinProgram.RowsProgram;
import io.eyrie.presto.handle.EyrieSplit;
import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The build side of one join, which all splits of a task share. The threads of splits that need it build it in turn, a part each time. If it exceeds the
 * node's memory for build sides, it is given up: each split then reads it for itself.
 */
final class TableBuild
{
    private static final long TURN_NANOS = 10_000_000;

    private final JoinShape join;
    private final RowsProgram rows;
    private final Supplier<JoinBuild> builds;
    private final BuildMemory memory;
    private final JoinCounters counters;
    private final ReentrantLock turn = new ReentrantLock();
    // guarded by the turn, but for reading whether it is done
    private @Nullable JoinBuild build;
    private @Nullable DimensionPages pages;
    private @Nullable LeafRun run;
    private Iterator<Page> output = Collections.emptyIterator();
    private final List<Closeable> opened = new ArrayList<>();
    private long reservedBytes;
    private @Nullable Throwable failure;
    private volatile boolean done;
    private volatile @Nullable JoinTable table;

    TableBuild(JoinShape join, RowsProgram rows, Supplier<JoinBuild> builds, BuildMemory memory, JoinCounters counters)
    {
        this.join = join;
        this.rows = rows;
        this.builds = builds;
        this.memory = memory;
        this.counters = counters;
    }

    JoinShape join()
    {
        return join;
    }

    RowsProgram rows()
    {
        return rows;
    }

    boolean isDone()
    {
        return done;
    }

    /** Returns the table; empty if it exceeds the memory. Called when it is done. */
    Optional<JoinTable> table()
    {
        return Optional.ofNullable(table);
    }

    /**
     * Builds for a moment, unless another thread does.
     *
     * @param opener opens a split of an input
     * @param stats notified if the build is given up
     * @return what the build waits for; empty if another thread builds
     */
    Optional<CompletableFuture<?>> advance(BiFunction<Integer, EyrieSplit, ConnectorPageSource> opener, RuntimeStats stats)
    {
        if (!turn.tryLock()) {
            return Optional.empty();
        }
        try {
            if (failure != null) {
                // a build that went on would lack rows
                throw failure instanceof RuntimeException known ? known : new IllegalStateException("An earlier step of the build failed", failure);
            }
            long until = System.nanoTime() + TURN_NANOS;
            while (!done && System.nanoTime() < until) {
                CompletableFuture<?> blocked = pages == null ? ConnectorPageSource.NOT_BLOCKED : pages.blocked();
                if (!blocked.isDone()) {
                    return Optional.of(blocked);
                }
                step(opener);
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
            turn.unlock();
        }
    }

    private void step(BiFunction<Integer, EyrieSplit, ConnectorPageSource> opener)
    {
        if (build == null || pages == null || run == null) {
            build = builds.get();
            pages = rows.pages(opener);
            run = rows.run(opener, opened::add);
        }
        if (output.hasNext()) {
            build.add(output.next());
            reserve(build);
            return;
        }
        if (!pages.isFinished()) {
            Page page = pages.next();
            if (page != null) {
                output = run.add(page);
            }
            return;
        }
        Iterator<Page> rest = run.finish();
        JoinBuild filled = build;
        while (rest.hasNext() && build != null) {
            filled.add(rest.next());
            reserve(filled);
        }
        if (build != null) {
            table = filled.finish();
            end();
        }
    }

    private void reserve(JoinBuild filled)
    {
        long more = filled.retainedBytes() - reservedBytes;
        if (more <= 0) {
            return;
        }
        if (memory.grow(more)) {
            reservedBytes += more;
            return;
        }
        memory.shrink(reservedBytes);
        reservedBytes = 0;
        end();
    }

    private void end()
    {
        clear();
        counters.built(table != null);
        done = true;
    }

    private void clear()
    {
        if (pages != null) {
            pages.close();
        }
        for (Closeable source : opened) {
            try {
                source.close();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        opened.clear();
        build = null;
        pages = null;
        run = null;
        output = Collections.emptyIterator();
    }

    /** Discards an unfinished build. Called only if no split uses it. */
    void interrupt()
    {
        if (!done) {
            try {
                clear();
            }
            finally {
                memory.shrink(reservedBytes);
                reservedBytes = 0;
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

    long retainedBytes()
    {
        return reservedBytes;
    }
}
