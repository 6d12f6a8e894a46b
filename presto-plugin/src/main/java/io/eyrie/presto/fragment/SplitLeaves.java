// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.base.Suppliers;
import com.google.inject.Inject;
import io.airlift.slice.Slices;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.fragment.key.CanonicalJoin.CanonicalInput;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.ClockConstants;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.fragment.result.FinerKey;
import io.eyrie.fragment.result.FragmentResults;
import io.eyrie.fragment.result.Groupings;
import io.eyrie.fragment.result.ResultLookup;
import io.eyrie.fragment.result.ResultRecorder;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.fragment.statistics.ValueRange;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.fragment.FragmentRuntimeStats.LeafMiss;
import io.eyrie.presto.fragment.JoinKeys.Dimension;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.JoinHandle;
import io.eyrie.presto.handle.LeafColumns;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.facebook.presto.common.type.Varchars.isVarcharType;
import static java.util.Objects.requireNonNull;

/** Specializes a leaf to one split, without the conjuncts that are proved for its rows, and looks up its result. Thread-safe. */
final class SplitLeaves
{
    // the files of a table prove few different parts of a predicate
    private static final int FORMS = 100;

    private final FragmentParts parts;
    private final Optional<FragmentResults> results;
    private final SplitVersions versions;
    private final SplitKeys keys;
    private final SplitRanges ranges;
    private final SplitPredicate.Factory predicates;
    private final CanonicalLeaf.Factory canonical;
    private final JoinScans joins;
    private final Optional<Groupings> groupings;
    private final Ledger ledger;
    private final Cache<EyrieLayoutHandle, Scan> scans = Caffeine.newBuilder().weakKeys().build();

    @Inject
    SplitLeaves(
            FragmentParts parts,
            SplitVersions versions,
            SplitKeys keys,
            SplitRanges ranges,
            SplitPredicate.Factory predicates,
            JoinScans joins,
            Ledger ledger)
    {
        this.results = parts.results();
        this.parts = requireNonNull(parts, "parts is null");
        this.groupings = parts.groupings();
        this.versions = requireNonNull(versions, "versions is null");
        this.keys = requireNonNull(keys, "keys is null");
        this.ranges = requireNonNull(ranges, "ranges is null");
        this.predicates = requireNonNull(predicates, "predicates is null");
        this.canonical = joins.leaves();
        this.joins = requireNonNull(joins, "joins is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
    }

    /**
     * State that all splits of a layout and a session share. Layouts are compared by identity; a task has one layout object.
     *
     * @param queryId the query of the session for which the state was created
     * @param leaf the leaf over the table
     * @param over the leaf over the rows of joins, and the dimensions' forms, if the layout stands for joins and not only for a leaf
     * @param ranged columns that may be worth reading for their ranges
     * @param forms forms of the leaf by the remaining conjuncts, at most {@link #FORMS}
     * @param compiled factories of the leaf's runs, likewise
     */
    private record Scan(
            String queryId,
            Leaf leaf,
            Optional<OverJoin> over,
            SplitPredicate predicate,
            SplitKey.Builder key,
            Set<ColumnHandle> ranged,
            Cache<BitSet, FinerLeaves> forms,
            Cache<BitSet, Supplier<LeafRun>> compiled)
    {
        /* Joins are one scan only if the coordinator has seen their plan before, or if the operator wants the results of all joins. */
        boolean isRecurring()
        {
            return over.isPresent();
        }

        LeafRun run(Leaf form, LeafEngine engine, ConnectorSession session)
        {
            return compiled.get(left(form), any -> engine.compile(form.withTop(Optional.empty()), session)).get();
        }

        /* Returns empty if a dimension's version is not certain. */
        Optional<FinerLeaves> form(Leaf form, CanonicalLeaf.Factory canonical, JoinScans joins, Function<CanonicalLeaf, FinerLeaves> finer)
        {
            if (over.isEmpty()) {
                return Optional.of(known(form, () -> finer.apply(canonical.of(form))));
            }
            OverJoin joined = over.get();
            Optional<List<CanonicalInput>> contents = joined.contents(joins);
            return contents.isPresent()
                    ? Optional.of(known(form, () -> finer.apply(joins.form(joined.join, joined.leaf, form, contents.get()))))
                    // of a session that stores nothing: finds nothing
                    : joined.dimensions.get().map(dimensions -> finer.apply(joins.form(joined.join, joined.leaf, form, dimensions.stream().map(
                            Dimension::files).toList())));
        }

        /* No lock is held while a form is created, because the groupings of the table may be read from a slow disk. */
        private FinerLeaves known(Leaf form, Supplier<FinerLeaves> created)
        {
            BitSet left = left(form);
            FinerLeaves known = forms.getIfPresent(left);
            if (known != null) {
                return known;
            }
            FinerLeaves own = created.get();
            FinerLeaves other = forms.asMap().putIfAbsent(left, own);
            return other == null ? own : other;
        }

        /* The dimensions of the joins, if their contents are not known yet. */
        Optional<List<Dimension>> unread(JoinScans joins)
        {
            return over.filter(joined -> joined.contents(joins).isEmpty()).flatMap(joined -> joined.dimensions.get());
        }

        /* Returns which conjuncts remain, in order. They are the leaf's own objects: comparing large expressions by value would cost time for each split. */
        @SuppressWarnings("ReferenceEquality")
        private BitSet left(Leaf form)
        {
            BitSet left = new BitSet();
            int next = 0;
            for (RowExpression conjunct : form.conjuncts()) {
                while (leaf.conjuncts().get(next) != conjunct) {
                    next++;
                }
                left.set(next++);
            }
            return left;
        }
    }

    /** A leaf over the rows of joins. */
    private static final class OverJoin
    {
        private final JoinHandle join;
        private final Leaf leaf;
        private final Supplier<Optional<List<Dimension>>> dimensions;
        private final Supplier<Supplier<LeafRun>> compiled;
        private volatile Optional<List<CanonicalInput>> contents = Optional.empty();

        /**
         * @param dimensions the dimensions, determined once; empty if a version is not certain
         * @param compiled a factory of the leaf's runs, determined once
         */
        OverJoin(JoinHandle join, Leaf leaf, Supplier<Optional<List<Dimension>>> dimensions, Supplier<Supplier<LeafRun>> compiled)
        {
            this.join = join;
            this.leaf = leaf;
            this.dimensions = dimensions;
            this.compiled = compiled;
        }

        /* Determined once they are known. */
        Optional<List<CanonicalInput>> contents(JoinScans joins)
        {
            if (contents.isEmpty()) {
                contents = dimensions.get().flatMap(joins::contents);
            }
            return contents;
        }
    }

    /**
     * A leaf over one split.
     *
     * @param leaf the leaf over the table
     * @param table creates a run of this leaf, if the layout stands for joins: {@code runs} is then over their rows
     * @param none whether no row of the split satisfies the leaf's predicate
     * @param opening identifies everything that Presto's reader checks when it opens the split for the leaf, if the version of the file is certain
     * @param lookup the outcome of the lookup, if the result was looked up
     * @param account records all later events
     * @param runs creates a run of the leaf over the split. If only the top of its rows is needed, a run whose pages are not recorded may return more rows
     * @param beside a recorder of all rows, to which the run passes them on the way to their top; the caller finishes and closes it
     */
    record SplitLeaf(
            Leaf leaf, boolean none, Optional<BlobKey> opening, Optional<ResultLookup> lookup, Account account,
            Supplier<LeafRun> runs, Supplier<LeafRun> table, Optional<ResultRecorder> beside)
    {
        SplitLeaf(Leaf leaf, Optional<ResultLookup> lookup, Account account, Supplier<LeafRun> runs, Supplier<LeafRun> table)
        {
            this(leaf, false, Optional.empty(), lookup, account, runs, table, Optional.empty());
        }
    }

    /**
     * A layout that stands for a leaf, over a split.
     *
     * @param kept whether this worker caches data of the split
     * @param shared whether the result is recorded, and whether the reader may wait for another one that records it
     */
    record Request(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout, boolean kept, boolean shared, RuntimeStats stats)
    {}

    /**
     * A leaf over a split, with its predicate evaluated against the known contents of the split.
     *
     * @param version the version of the split's file, if this worker caches data of the split and the version is certain
     * @param missing columns with unknown ranges; with them, the leaf's result could be cached, or the split might turn out to have no matching row
     */
    record EvaluatedLeaf(Request request, Scan scan, Optional<FileVersion> version, SplitPredicate.Verdict verdict,
            List<SplitRanges.UnknownRange> missing)
    {}

    /** Returns the program of a joined scan. */
    JoinProgram program(Request request)
    {
        Scan scan = scan(request.session(), request.layout());
        return joins.program(request.layout(), request.session(), scan.over().orElseThrow().dimensions);
    }

    /**
     * Whether the contents of dimensions must be known before the result of a joined scan is looked up. The caller then completes the build sides, and calls
     * {@link #remember}.
     */
    boolean needsContents(EvaluatedLeaf judged)
    {
        return judged.scan().over().isPresent()
                && judged.version().isPresent()
                && results.isPresent()
                && !judged.verdict().none()
                && CacheModes.of(judged.request().session(), CacheLayer.FRAGMENT) == CacheMode.READ_WRITE
                && judged.scan().unread(joins).isPresent();
    }

    /** Remembers the contents of the dimensions, whose build sides are complete. */
    void remember(EvaluatedLeaf judged, JoinProgram program)
    {
        judged.scan().unread(joins).ifPresent(dimensions -> joins.remember(dimensions, program, ledger::scope));
    }

    /** Evaluates a layout's leaf against the known contents of a split. It may read footers and ranges, but has no other side effect. */
    EvaluatedLeaf judge(Request request)
    {
        Scan scan = scan(request.session(), request.layout());
        Optional<FileVersion> version = request.kept() ? versions.of(request.session(), request.split(), request.layout()) : Optional.empty();
        List<SplitRanges.UnknownRange> missing = new ArrayList<>();
        SplitPredicate.Verdict verdict = scan.predicate().judge(variable -> {
            HiveColumnHandle column = (HiveColumnHandle) requireNonNull(scan.leaf().columns().get(variable), "no column");
            return column.isPartitionKey()
                    ? partitionValue(request.split(), column, variable)
                    : version.flatMap(file -> inFile(scan, file, request, new FileStatistics.StatisticsRequest(request.split(), request.layout(),
                            column, variable
                                    .getType()), missing));
        });
        boolean worthIt = request.shared() && !missing.isEmpty() && !verdict.none() && CacheModes.of(request.session(),
                CacheLayer.FRAGMENT) == CacheMode.READ_WRITE
                && !ClockConstants.in(without(missing, scan, verdict), request.session().getStartTime());
        return new EvaluatedLeaf(request, scan, version, verdict, worthIt ? List.copyOf(missing) : List.of());
    }

    private Optional<Domain> inFile(Scan scan, FileVersion file, Request request, FileStatistics.StatisticsRequest column,
            List<SplitRanges.UnknownRange> missing)
    {
        Optional<Supplier<SplitKey>> key = scan.ranged().contains(column.column())
                ? Optional.of(() -> keys.of(scan.key().copy(), request.split(), request.layout(), file, List.of(column.column())))
                : Optional.empty();
        return ranges.of(request.session(), file, column, key, missing::add, request.stats());
    }

    /* Returns the leaf without the conjuncts on the missing columns. */
    private static Leaf without(List<SplitRanges.UnknownRange> missing, Scan scan, SplitPredicate.Verdict verdict)
    {
        Set<HiveColumnHandle> columns = missing.stream().map(SplitRanges.UnknownRange::column).collect(Collectors.toSet());
        return scan.leaf().withConjuncts(verdict.remaining()
                .stream()
                .filter(conjunct -> scan.predicate().column(conjunct).map(scan.leaf().columns()::get).filter(columns::contains).isEmpty())
                .toList());
    }

    /** Returns a consumer that caches the ranges of the missing columns, if they are read from now on. */
    Consumer<List<ValueRange>> rangeKeeper(EvaluatedLeaf judged)
    {
        return ranges.keeper(judged.missing(), scope(judged.request().split()), judged.request().stats());
    }

    private Scope scope(HiveSplit split)
    {
        return ledger.scope(split.getDatabase(), split.getTable(), CachingPageSourceProvider.partition(split));
    }

    /**
     * Returns the leaf of a layout over a split.
     *
     * @throws IllegalStateException if this node's engine does not run leaves
     */
    SplitLeaf of(EvaluatedLeaf judged)
    {
        LeafEngine compiler = parts.runner();
        ConnectorSession session = judged.request().session();
        RuntimeStats stats = judged.request().stats();
        Scan scan = judged.scan();
        Leaf whole = scan.leaf();
        Optional<FileVersion> version = judged.version();
        SplitPredicate.Verdict verdict = judged.verdict();
        Scope scope = scope(judged.request().split());
        Account account = version.map(file -> ledger.opened(session.getQueryId(), file, scope).account(CacheLayer.FRAGMENT))
                .orElseGet(() -> ledger.account(session.getQueryId(), scope, CacheLayer.FRAGMENT));
        if (verdict.none()) {
            FragmentRuntimeStats.pruned(stats);
            Supplier<LeafRun> all = () -> scan.run(whole, compiler, session);
            return new SplitLeaf(whole, true, opening(judged), Optional.empty(), account, last(scan, all), all, Optional.empty());
        }
        Leaf leaf = whole.withConjuncts(verdict.remaining());
        Supplier<LeafRun> table = () -> scan.run(leaf, compiler, session);
        Supplier<LeafRun> runs = last(scan, table);
        if (version.isEmpty() || results.isEmpty()) {
            FragmentRuntimeStats.miss(stats, judged.request().kept() ? LeafMiss.VERSION : LeafMiss.ELSEWHERE);
            account.misses(judged.request().kept() ? MissReason.NO_VERSION : MissReason.NOT_PREFERRED_NODE, 1, 0);
            return new SplitLeaf(leaf, Optional.empty(), account, runs, table);
        }
        if (ClockConstants.in(leaf, session.getStartTime())) {
            FragmentRuntimeStats.miss(stats, LeafMiss.CLOCK);
            account.misses(MissReason.CLOCK, 1, 0);
            return new SplitLeaf(leaf, Optional.empty(), account, runs, table);
        }
        Optional<FinerLeaves> form = form(scan, leaf, scope, session);
        if (form.isEmpty()) {
            FragmentRuntimeStats.miss(stats, LeafMiss.VERSION);
            account.misses(MissReason.NO_VERSION, 1, 0);
            return new SplitLeaf(leaf, Optional.empty(), account, runs, table);
        }
        Function<Set<String>, SplitKey> split = columns -> keys.of(scan.key().copy(), judged.request().split(), judged.request().layout(),
                version.get(), columns);
        SplitKey own = split.apply(form.get().partitionColumns());
        FragmentKey key = form.get().key(own);
        Supplier<List<FinerKey>> finer = () -> form.get().finer(split);
        CacheMode mode = CacheModes.of(session, CacheLayer.FRAGMENT);
        if (mode != CacheMode.READ_WRITE) {
            return new SplitLeaf(leaf, withoutKeeping(mode, results.get(), key, finer, account, stats), account, runs, table);
        }
        Optional<ResultLookup> lookup = lookup(judged, key, finer, scope, account);
        Optional<FragmentKey> all = form.get().all(own);
        SplitLeaf found = new SplitLeaf(leaf, lookup, account, runs, table);
        return all.isEmpty() || !isRecorded(lookup) ? found : top(found, form.get(), all.get(), scan, scope);
    }

    private Optional<ResultLookup> lookup(EvaluatedLeaf judged, FragmentKey key, Supplier<List<FinerKey>> finer, Scope scope, Account account)
    {
        Request request = judged.request();
        FragmentResults known = results.orElseThrow();
        Optional<ResultLookup> lookup = request.shared()
                ? Optional.of(known.lookup(key, finer, scope, judged.scan().isRecurring()))
                : known.lookUpOnly(key, finer);
        if (lookup.isEmpty()) {
            account.misses(MissReason.NEVER_SEEN, 1, 0);
        }
        if (lookup.filter(ResultLookup.Busy.class::isInstance).isPresent()) {
            busy(account, request.stats());
        }
        if (lookup.isEmpty() || lookup.get() instanceof ResultLookup.Miss) {
            FragmentRuntimeStats.miss(request.stats(), LeafMiss.ABSENT);
        }
        return lookup;
    }

    /* The run selects the top of the rows. On the way, it records all of them, unless they are the file itself. */
    private SplitLeaf top(SplitLeaf found, FinerLeaves form, FragmentKey all, Scan scan, Scope scope)
    {
        boolean isComputed = scan.over().isPresent() || !found.leaf().isBare();
        Optional<ResultRecorder> beside = found.lookup().orElseThrow() instanceof ResultLookup.Miss && isComputed
                ? results.orElseThrow().record(all, scope, scan.isRecurring())
                : Optional.empty();
        Supplier<LeafRun> top = () -> new PipelineRun(
                () -> Stream.concat(Stream.of(found.runs().get()), beside.map(RecordedRun::new).stream()).toList(), form.top());
        return new SplitLeaf(found.leaf(), false, Optional.empty(), found.lookup(), found.account(), top, found.table(), beside);
    }

    private static boolean isRecorded(Optional<ResultLookup> lookup)
    {
        return lookup.isPresent() && (lookup.get() instanceof ResultLookup.Miss
                || (lookup.get() instanceof ResultLookup.Finer finer && finer.recorder().isPresent()));
    }

    private Optional<FinerLeaves> form(Scan scan, Leaf leaf, Scope scope, ConnectorSession session)
    {
        Optional<Groupings> known = groupings.filter(any -> FragmentSessionProperties.isSubsumptionEnabled(session));
        Scope table = ledger.scope(scope.schema(), scope.table(), "");
        Leaf last = scan.over().map(over -> over.leaf).orElse(leaf);
        return scan.form(leaf, canonical, joins, form -> FinerLeaves.of(form, leaf, last, known, table, parts.runner(), session));
    }

    private static Supplier<LeafRun> last(Scan scan, Supplier<LeafRun> table)
    {
        return scan.over().map(over -> (Supplier<LeafRun>) () -> over.compiled.get().get()).orElse(table);
    }

    private Optional<BlobKey> opening(EvaluatedLeaf judged)
    {
        List<HiveColumnHandle> columns = LeafColumns.read(judged.scan().leaf());
        return judged.version().map(file -> FragmentKey.opening(
                keys.of(judged.scan().key().copy(), judged.request().split(), judged.request().layout(), file, columns),
                writer -> columns.forEach(column -> SplitKeys.column(column, writer))));
    }

    private static Optional<ResultLookup> withoutKeeping(CacheMode mode, FragmentResults results, FragmentKey key,
            Supplier<List<FinerKey>> finer, Account account, RuntimeStats stats)
    {
        if (mode == CacheMode.DRY_RUN) {
            account.misses(results.isKept(key, finer) ? MissReason.DRY_RUN : MissReason.NEVER_SEEN, 1, 0);
            FragmentRuntimeStats.miss(stats, LeafMiss.MODE);
            return Optional.empty();
        }
        Optional<ResultLookup> hit = results.lookUpOnly(key, finer);
        if (hit.isEmpty()) {
            account.misses(MissReason.READ_ONLY, 1, 0);
            FragmentRuntimeStats.miss(stats, LeafMiss.MODE);
        }
        hit.filter(ResultLookup.Busy.class::isInstance).ifPresent(any -> busy(account, stats));
        return hit;
    }

    private static void busy(Account account, RuntimeStats stats)
    {
        account.misses(MissReason.OVER_MEMORY, 1, 0);
        FragmentRuntimeStats.miss(stats, LeafMiss.MEMORY);
    }

    private Scan scan(ConnectorSession session, EyrieLayoutHandle layout)
    {
        Scan known = scans.getIfPresent(layout);
        return known != null && known.queryId().equals(session.getQueryId())
                ? known
                : requireNonNull(scans.asMap().compute(layout, (any, other) -> other != null && other.queryId().equals(session.getQueryId())
                        ? other
                        : newScan(session, layout)));
    }

    private Scan newScan(ConnectorSession session, EyrieLayoutHandle layout)
    {
        Leaf leaf = layout.tableLeaf().orElseThrow();
        SplitPredicate predicate = predicates.of(leaf.conjuncts(), session);
        return new Scan(
                session.getQueryId(),
                leaf,
                layout.getJoin().map(join -> over(join, layout.leaf().orElseThrow(), session)),
                predicate,
                keys.shared(session, layout),
                ranges.columns(leaf, predicate, layout, session),
                Caffeine.newBuilder().maximumSize(FORMS).build(),
                Caffeine.newBuilder().maximumSize(FORMS).build());
    }

    /* Does not hold the layout, by which the scan is known as long as it is reachable. */
    private OverJoin over(JoinHandle join, Leaf leaf, ConnectorSession session)
    {
        return new OverJoin(
                join,
                leaf,
                Suppliers.memoize(() -> joins.dimensions(join, session, ledger::scope)),
                Suppliers.memoize(() -> joins.compiled(join, leaf, session)));
    }

    /* Returns the value of a column in the split's partition, for text only: values of other types have several spellings. */
    private static Optional<Domain> partitionValue(HiveSplit split, HiveColumnHandle column, VariableReferenceExpression variable)
    {
        if (!isVarcharType(variable.getType())) {
            return Optional.empty();
        }
        return split.getPartitionKeys()
                .stream()
                .filter(key -> key.getName().equals(column.getName()))
                .findFirst()
                .map(HivePartitionKey::getValue)
                .map(value -> value.map(text -> Domain.singleValue(variable.getType(), (Object) Slices.utf8Slice(text)))
                        .orElseGet(() -> Domain.onlyNull(variable.getType())));
    }
}
