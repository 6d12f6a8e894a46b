// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinStage;
import io.eyrie.fragment.key.RowsDigest;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinKind;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.JoinShape.PairCondition;
import io.eyrie.fragment.leaf.JoinTable;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.fragment.DimensionReads.DimensionOpener;
import io.eyrie.presto.handle.DimensionHandle;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.JoinHandle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** The compiled joins of one task, and the build sides that its splits share. Thread-safe. */
final class JoinProgram
        implements BuildMemory.Holder
{
    /** The amount of a split's rows for which a build side that does not fit into memory is read once. */
    private static final long BATCH_BYTES = 8L << 20;
    private static final ColumnHandle NO_COLUMN = new ColumnHandle() {};

    private final LeafEngine engine;
    private final ConnectorSession session;
    private final List<DimensionHandle> dimensions;
    private final BuildMemory memory;
    private final JoinCounters counters;
    // a build side comes after those that its own rows are joined with
    private final List<TableBuild> builds = new ArrayList<>();
    private final Map<Integer, TableBuild> inputs = new HashMap<>();
    private final IntFunction<Optional<RowsDigest>> digests;
    private final RowsProgram rows;
    private final Object users = new Object();
    private final AtomicReference<CompletableFuture<Void>> turn = new AtomicReference<>(new CompletableFuture<>());
    private int userCount;

    /** @param digests creates a digest for the rows of an input that is a dimension, unless its rows need none */
    JoinProgram(JoinHandle join, ConnectorSession session, LeafEngine engine, BuildMemory memory, JoinCounters counters,
            IntFunction<Optional<RowsDigest>> digests)
    {
        this.digests = requireNonNull(digests, "digests is null");
        this.engine = requireNonNull(engine, "engine is null");
        this.session = session;
        this.dimensions = join.dimensions();
        this.memory = requireNonNull(memory, "memory is null");
        this.counters = requireNonNull(counters, "counters is null");
        this.rows = program(join.rows());
    }

    /** Returns the stages over the fact. */
    RowsProgram rows()
    {
        return rows;
    }

    /**
     * The compiled stages over an input.
     *
     * @param splits the splits of a dimension; empty for the fact
     */
    record RowsProgram(int input, List<EyrieSplit> splits, List<Stage> stages)
    {
        RowsProgram
        {
            splits = List.copyOf(splits);
            stages = List.copyOf(stages);
        }

        /** Returns the pages of the dimension. */
        DimensionPages pages(DimensionOpener opener, boolean shared)
        {
            return new DimensionPages(
                    splits, shared ? DimensionPages.AHEAD : Optional.empty(), split -> opener.open(input, split, shared), page -> opener.read(input,
                            page));
        }

        /** Returns runs of the stages, all of whose build sides are done. */
        List<LeafRun> runs(DimensionReads reads)
        {
            return runs(reads, GroupPart.ALL);
        }

        private List<LeafRun> runs(DimensionReads reads, GroupPart part)
        {
            return stages.stream().map(stage -> stage.runs().apply(reads, part)).toList();
        }

        /** Returns a run over all pages of the dimension. If its rows are groups, it returns those of a part. */
        LeafRun run(DimensionReads reads, GroupPart part)
        {
            PipelineRun run = new PipelineRun(() -> runs(reads, part), new IdentityRun());
            // an aggregation without keys has a row without a page
            run.start();
            return run;
        }

        /** Whether the rows are groups, possibly after other stages. */
        boolean hasGroups()
        {
            return stages.stream().anyMatch(Stage::grouped);
        }

        /** Returns how much memory a split may use for groups of a streamed build side: each stage may collect a batch of rows, too. */
        long maxGroupBytes()
        {
            return BATCH_BYTES * (stages.size() + 1);
        }

        /** Whether all build sides that its stages read are done. */
        boolean isReady()
        {
            return stages.stream().flatMap(stage -> stage.build().stream()).allMatch(TableBuild::isDone);
        }
    }

    /**
     * A compiled stage.
     *
     * @param build the build side, if the stage is a join
     * @param grouped whether the stage is an aggregation; if it is neither, it is a filter and projection
     * @param runs creates a run of the stage when the build side is done; an aggregation returns a part of its groups
     */
    record Stage(Optional<TableBuild> build, boolean grouped, BiFunction<DimensionReads, GroupPart, LeafRun> runs)
    {}

    private RowsProgram program(JoinRows source)
    {
        List<Stage> stages = new ArrayList<>();
        for (int i = 0; i < source.stages().size(); i++) {
            JoinStage stage = source.stages().get(i);
            List<VariableReferenceExpression> input = source.outputs(i);
            stages.add(stage.kind().map(kind -> join(kind, input, stage)).orElseGet(() -> stage.isGroup()
                    ? group(input, stage)
                    : chain(input, stage)));
        }
        List<EyrieSplit> splits = source.input() == 0 ? List.of() : dimensions.get(source.input() - 1).splits();
        return new RowsProgram(source.input(), splits, stages);
    }

    private Stage chain(List<VariableReferenceExpression> input, JoinStage stage)
    {
        List<Leaf.Projection> outputs = new ArrayList<>();
        for (int i = 0; i < stage.outputs().size(); i++) {
            outputs.add(new Leaf.Projection(stage.outputs().get(i), stage.expressions().get(i)));
        }
        Supplier<LeafRun> chain = engine.compile(new Leaf(columns(input), stage.conjuncts(), List.of(), outputs, Optional.empty()), session);
        return new Stage(Optional.empty(), false, (reads, part) -> chain.get());
    }

    private Stage group(List<VariableReferenceExpression> input, JoinStage stage)
    {
        int keys = stage.keyCount();
        List<Leaf.Projection> outputs = new ArrayList<>();
        List<Leaf.Aggregate> aggregates = new ArrayList<>();
        for (int i = 0; i < stage.outputs().size(); i++) {
            if (i < keys) {
                outputs.add(new Leaf.Projection(stage.outputs().get(i), stage.expressions().get(i)));
            }
            else {
                aggregates.add(new Leaf.Aggregate(stage.outputs().get(i), (CallExpression) stage.expressions().get(i), Optional.empty()));
            }
        }
        Function<GroupPart, LeafRun> groups = engine.complete(
                new Leaf(columns(input), List.of(), List.of(), outputs, Optional.of(aggregates)), session);
        // without keys, there is one group, which has no parts
        return new Stage(Optional.empty(), keys > 0, (reads, part) -> groups.apply(part));
    }

    private static Map<VariableReferenceExpression, ColumnHandle> columns(List<VariableReferenceExpression> input)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        input.forEach(variable -> columns.put(variable, NO_COLUMN));
        return columns;
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
                channels(probe, stage.outputs().stream().filter(Set.copyOf(probe)::contains).toList()),
                types(build),
                channels(build, stage.buildKeys()),
                channels(build, stage.outputs().stream().filter(Set.copyOf(build)::contains).toList()),
                stage.conjuncts().isEmpty() ? Optional.empty() : Optional.of(new PairCondition(stage.conjuncts(), probe, build)));
        if (shape.probeOutputs().size() + (kind == JoinKind.SEMI ? 1 : shape.buildOutputs().size()) != outputs.size()) {
            throw new IllegalArgumentException("The outputs of the join are not those of its sides: " + stage.outputs());
        }
        Map<Integer, Integer> groupKeys = new TreeMap<>();
        for (int i = 0; i < stage.buildKeys().size(); i++) {
            int key = i;
            side.groupKey(stage.buildKeys().get(i)).ifPresent(place -> groupKeys.put(key, place));
        }
        TableBuild table = new TableBuild(sideProgram, () -> engine.build(shape, session), () -> digests.apply(side.input()), memory, counters);
        builds.add(table);
        inputs.put(side.input(), table);
        return new Stage(Optional.of(table), false, (reads, part) -> table.table()
                .map(JoinTable::probe)
                .orElseGet(() -> engine.streamed(shape, groupKeys, wanted -> reads.read(sideProgram, wanted, false), BATCH_BYTES, session)));
    }

    private static List<Type> types(List<VariableReferenceExpression> variables)
    {
        return variables.stream().map(RowExpression::getType).toList();
    }

    private static List<Integer> channels(List<VariableReferenceExpression> all, List<VariableReferenceExpression> wanted)
    {
        Map<VariableReferenceExpression, Integer> channels = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            channels.putIfAbsent(all.get(i), i);
        }
        return wanted.stream()
                .map(variable -> Optional.ofNullable(channels.get(variable))
                        .orElseThrow(() -> new IllegalArgumentException(variable + " is not among " + all)))
                .toList();
    }

    /** Registers a split that reads the build sides. They are not dropped until all such splits are released. */
    void acquire()
    {
        synchronized (users) {
            if (userCount++ == 0) {
                memory.busy(this);
            }
        }
    }

    /** Unregisters a split. */
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
     * Builds one of the build sides for a short time.
     *
     * @return what the caller waits for before it calls again
     */
    CompletableFuture<?> advance(DimensionOpener opener, RuntimeStats stats)
    {
        CompletableFuture<Void> others = requireNonNull(turn.get());
        List<CompletableFuture<?>> waits = new ArrayList<>();
        List<TableBuild> next = builds.stream().filter(build -> !build.isDone() && build.rows().isReady()).toList();
        // a caller reads one dimension at a time, and a scan of one split has one caller
        next.stream().skip(1).forEach(build -> build.readAhead(opener));
        for (TableBuild build : next) {
            if (!build.isDone()) {
                build.advance(opener, stats).ifPresent(waits::add);
                if (!waits.isEmpty()) {
                    requireNonNull(turn.getAndSet(new CompletableFuture<>())).complete(null);
                }
                if (waits.stream().anyMatch(CompletableFuture::isDone)) {
                    return ConnectorPageSource.NOT_BLOCKED;
                }
            }
        }
        if (isReady()) {
            return ConnectorPageSource.NOT_BLOCKED;
        }
        // the build sides of other queries may wait for those of this query
        return waits.isEmpty() ? others : CompletableFuture.anyOf(waits.toArray(CompletableFuture[]::new));
    }

    /** Returns the build side that reads an input. */
    TableBuild build(int input)
    {
        return requireNonNull(inputs.get(input), "not a dimension");
    }

    /** Returns how much of the build sides' memory each split reports as the query's, so that all splits together report it once. */
    long bytesPerUser()
    {
        synchronized (users) {
            return heldBytes() / Math.max(1, userCount);
        }
    }

    @Override
    public long heldBytes()
    {
        return builds.stream().mapToLong(TableBuild::retainedBytes).sum();
    }

    @Override
    public long drop()
    {
        return builds.stream().mapToLong(TableBuild::drop).sum();
    }

    /** Returns the pages unchanged. */
    static final class IdentityRun
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
}
