// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinStage;
import io.eyrie.fragment.leaf.JoinKind;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.JoinTable;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.handle.DimensionHandle;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.JoinHandle;

import java.io.Closeable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/**
 * The joins of one task, compiled, and their build sides, which its splits share. Thread-safe.
 */
final class JoinProgram
        implements BuildMemory.Holder
{
    /** How much of a split is collected for each reading of a build side that does not fit into memory. */
    private static final long BATCH_BYTES = 8L << 20;
    private static final ColumnHandle NO_COLUMN = new ColumnHandle() {};

    private final String queryId;
    private final LeafEngine engine;
    private final ConnectorSession session;
    private final List<DimensionHandle> dimensions;
    private final BuildMemory memory;
    private final JoinCounters counters;
    // those that others need come first
    private final List<TableBuild> builds = new ArrayList<>();
    private final RowsProgram rows;
    private final Object users = new Object();
    private final AtomicReference<CompletableFuture<Void>> turn = new AtomicReference<>(new CompletableFuture<>());
    private int userCount;

    JoinProgram(JoinHandle join, ConnectorSession session, LeafEngine engine, BuildMemory memory, JoinCounters counters)
    {
        this.queryId = session.getQueryId();
        this.engine = requireNonNull(engine, "engine is null");
        this.session = session;
        this.dimensions = join.dimensions();
        this.memory = requireNonNull(memory, "memory is null");
        this.counters = requireNonNull(counters, "counters is null");
        this.rows = program(join.rows());
    }

    String queryId()
    {
        return queryId;
    }

    /** Returns the stages over the fact. */
    RowsProgram rows()
    {
        return rows;
    }

    /** The compiled stages over an input. */
    final class RowsProgram
    {
        private final int input;
        private final List<Stage> stages;

        RowsProgram(int input, List<Stage> stages)
        {
            this.input = input;
            this.stages = stages;
        }

        /** Returns the pages of the input, which is a dimension. */
        DimensionPages pages(BiFunction<Integer, EyrieSplit, ConnectorPageSource> opener)
        {
            return new DimensionPages(dimensions.get(input - 1).splits(), split -> opener.apply(input, split));
        }

        /** Returns runs of the stages, all of whose build sides are done. */
        List<LeafRun> runs(BiFunction<Integer, EyrieSplit, ConnectorPageSource> opener, Consumer<Closeable> opened)
        {
            return stages.stream().map(stage -> stage.run(opener, opened)).toList();
        }

        LeafRun run(BiFunction<Integer, EyrieSplit, ConnectorPageSource> opener, Consumer<Closeable> opened)
        {
            return new PipelineRun(() -> runs(opener, opened), new IdentityRun());
        }

        /** Whether all build sides that its stages read are done. */
        boolean isReady()
        {
            return stages.stream().allMatch(stage -> stage.build.isEmpty() || stage.build.get().isDone());
        }
    }

    /** A compiled stage: a filter and projection, or the probe of a build side. */
    private final class Stage
    {
        private final Optional<TableBuild> build;
        private final Supplier<LeafRun> chain;

        Stage(Optional<TableBuild> build, Supplier<LeafRun> chain)
        {
            this.build = build;
            this.chain = chain;
        }

        LeafRun run(BiFunction<Integer, EyrieSplit, ConnectorPageSource> opener, Consumer<Closeable> opened)
        {
            if (build.isEmpty()) {
                return chain.get();
            }
            TableBuild side = build.get();
            return side.table().map(JoinTable::probe).orElseGet(() -> engine.streamed(side.join(), () -> {
                StreamedPages pages = new StreamedPages(side.rows().pages(opener), side.rows().run(opener, opened));
                opened.accept(pages);
                return pages;
            }, BATCH_BYTES, session));
        }
    }

    private RowsProgram program(JoinRows source)
    {
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < source.stages().size(); i++) {
            JoinStage stage = source.stages().get(i);
            stages.add(stage.kind().isPresent()
                    ? join(stage.kind().get(), source.outputs(i), stage)
                    : new Stage(Optional.empty(), chain(source.outputs(i), stage)));
        }
        return new RowsProgram(source.input(), stages);
    }

    private Supplier<LeafRun> chain(List<VariableReferenceExpression> input, JoinStage stage)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        input.forEach(variable -> columns.put(variable, NO_COLUMN));
        List<Leaf.Projection> outputs = new ArrayList<>();
        for (int i = 0; i < stage.outputs().size(); i++) {
            outputs.add(new Leaf.Projection(stage.outputs().get(i), stage.expressions().get(i)));
        }
        return engine.compile(new Leaf(columns, stage.conjuncts(), List.of(), outputs, Optional.empty()), session);
    }

    private Stage join(JoinKind kind, List<VariableReferenceExpression> probe, JoinStage stage)
    {
        JoinRows side = stage.build().get(0);
        RowsProgram sideProgram = program(side);
        List<VariableReferenceExpression> build = side.outputs();
        Set<VariableReferenceExpression> outputs = new HashSet<>(stage.outputs());
        JoinShape shape = new JoinShape(
                kind,
                types(probe),
                channels(probe, stage.probeKeys()),
                channels(probe, stage.outputs().stream().filter(probe::contains).toList()),
                types(build),
                channels(build, stage.buildKeys()),
                channels(build, stage.outputs().stream().filter(build::contains).toList()));
        if (shape.probeOutputs().size() + (kind == JoinKind.SEMI ? 1 : shape.buildOutputs().size()) != outputs.size()) {
            throw new IllegalArgumentException("The outputs of the join are not those of its sides: " + stage.outputs());
        }
        TableBuild table = new TableBuild(shape, sideProgram, () -> engine.build(shape, session), memory, counters);
        builds.add(table);
        return new Stage(Optional.of(table), () -> {
            throw new IllegalStateException("a join is no chain");
        });
    }

    private static List<Type> types(List<VariableReferenceExpression> variables)
    {
        return variables.stream().map(RowExpression::getType).toList();
    }

    private static List<Integer> channels(List<VariableReferenceExpression> all, List<VariableReferenceExpression> wanted)
    {
        return wanted.stream().map(variable -> {
            int channel = all.indexOf(variable);
            if (channel < 0) {
                throw new IllegalArgumentException(variable + " is not among " + all);
            }
            return channel;
        }).toList();
    }

    /** Registers a split that uses the build sides. */
    void acquire()
    {
        synchronized (users) {
            if (userCount++ == 0) {
                memory.busy(this);
            }
        }
    }

    /** Ends the use by a split. */
    void release()
    {
        synchronized (users) {
            if (--userCount == 0) {
                builds.forEach(TableBuild::interrupt);
                memory.idle(this);
            }
        }
    }

    boolean isReady()
    {
        return builds.stream().allMatch(TableBuild::isDone);
    }

    /**
     * Builds for a moment, unless other threads do.
     *
     * @return what to wait for before the next call
     */
    CompletableFuture<?> advance(BiFunction<Integer, EyrieSplit, ConnectorPageSource> opener, RuntimeStats stats)
    {
        CompletableFuture<Void> others = requireNonNull(turn.get());
        for (TableBuild build : builds) {
            if (!build.isDone() && build.rows().isReady()) {
                Optional<CompletableFuture<?>> blocked = build.advance(opener, stats);
                if (blocked.isPresent()) {
                    requireNonNull(turn.getAndSet(new CompletableFuture<>())).complete(null);
                    return blocked.get();
                }
            }
        }
        return isReady() ? ConnectorPageSource.NOT_BLOCKED : others;
    }

    /** Returns the part of the build sides' memory that each of its splits reports. */
    long bytesPerUser()
    {
        synchronized (users) {
            return builds.stream().mapToLong(TableBuild::retainedBytes).sum() / Math.max(1, userCount);
        }
    }

    @Override
    public long drop()
    {
        return builds.stream().mapToLong(TableBuild::drop).sum();
    }

    /** Returns its pages as they are. */
    private static final class IdentityRun
            implements LeafRun
    {
        @Override
        public Iterator<Page> add(Page page)
        {
            return List.of(page).iterator();
        }

        @Override
        public Iterator<Page> finish()
        {
            return List.<Page>of().iterator();
        }

        @Override
        public long retainedBytes()
        {
            return 0;
        }
    }

    /* A query that ends interrupts its threads. */
    private static void await(CompletableFuture<?> blocked)
    {
        try {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("before a page of a build side");
            }
            blocked.get();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while it read a build side", e);
        }
        catch (ExecutionException e) {
            throw new IllegalStateException("A page of a build side could not be read", e.getCause());
        }
    }

    /** The rows of a build side that is not held in memory, read by one split. It waits for its pages on the split's thread. */
    private static final class StreamedPages
            implements Iterator<Page>, Closeable
    {
        private final DimensionPages pages;
        private final LeafRun run;
        private Iterator<Page> output = List.<Page>of().iterator();
        private boolean ended;

        StreamedPages(DimensionPages pages, LeafRun run)
        {
            this.pages = pages;
            this.run = run;
        }

        @Override
        public boolean hasNext()
        {
            while (!output.hasNext() && !ended) {
                if (pages.isFinished()) {
                    output = run.finish();
                    ended = true;
                }
                else {
                    await(pages.blocked());
                    Page page = pages.next();
                    if (page != null) {
                        output = run.add(page);
                    }
                }
            }
            return output.hasNext();
        }

        @Override
        public Page next()
        {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return output.next();
        }

        @Override
        public void close()
        {
            pages.close();
        }
    }
}
