// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPlanOptimizer;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.DeleteNode;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeId;
import com.facebook.presto.spi.plan.PlanNodeIdAllocator;
import com.facebook.presto.spi.plan.SemiJoinNode;
import com.facebook.presto.spi.plan.TableFinishNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.plan.TableWriterNode;
import com.facebook.presto.spi.plan.TopNNode;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.fragment.join.ImpliedConditions;
import io.eyrie.fragment.join.JoinReader;
import io.eyrie.fragment.join.JoinReader.JoinReading;
import io.eyrie.fragment.join.JoinRefusal;
import io.eyrie.fragment.join.JoinTree;
import io.eyrie.fragment.join.JoinTree.JoinInput;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.presto.config.JoinAdmission;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.control.PackedState;
import io.eyrie.presto.fragment.JoinAdmissions.Choice;
import io.eyrie.presto.handle.DimensionHandle;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.JoinHandle;
import io.eyrie.presto.handle.JoinedTableHandle;
import io.eyrie.presto.handle.LeafHandle;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Puts one scan in place of the joins below an aggregation or below ORDER BY with LIMIT, or of those that compute the values of a semi-join, if one table
 * is large and all others are small. The engine plans the rest over it, and {@link FragmentOptimizer} folds the part of each split into it. It is the last of the connector's
 * logical optimizers: partitions are known, and the order of joins does not depend on statistics yet.
 */
final class JoinOptimizer
        implements ConnectorPlanOptimizer
{
    // an aggregation stores groups, and reads few columns, of a dimension
    private static final int GROUPED_SHARE = 4;
    // the layout carries them to every task
    private static final int MAX_DIMENSION_SPLITS = 1000;
    // each worker asks the store for the user's rights to one after the other, for each query
    private static final int MAX_CHECKED_SPLITS = 50;
    // a calendar of two centuries has two megabytes
    private static final long MOST_WHOLE_BYTES = 4L << 20;
    // known after the tables were listed; the next plan over the same partitions would list them for nothing
    private static final DimensionListing.TableFiles LARGEST = new DimensionListing.TableFiles(Long.MAX_VALUE, Optional.empty());
    private static final Set<JoinRefusal> LISTED = EnumSet.of(JoinRefusal.LARGE_TABLES, JoinRefusal.TOO_LARGE, JoinRefusal.NOT_LISTED);

    private final Optional<LeafEngine> engine;
    private final LeafReader leaves;
    private final JoinReader reader;
    private final JoinAdmissions admissions;
    private final DimensionListing listing;
    private final PruningCheck pruning;
    private final ImpliedConditions implied;
    private final JoinCounters counters;
    private final Supplier<Optional<PackedState>> control;
    private final Ledger ledger;
    private final Predicate<Scope> mayCache;
    private final long maxDimensionBytes;
    private final long listingNanos;
    private final LimitedLog failures = new LimitedLog(JoinOptimizer.class, Level.WARNING);

    @Inject
    JoinOptimizer(FragmentParts parts, LeafReader leaves, JoinAdmissions admissions, DimensionListing listing, ImpliedConditions implied,
            Control control, Ledger ledger)
    {
        this.engine = parts.engine();
        this.counters = parts.joins();
        this.mayCache = parts::mayCache;
        this.maxDimensionBytes = parts.maxDimensionBytes();
        this.listingNanos = parts.listingNanos();
        this.leaves = requireNonNull(leaves, "leaves is null");
        this.reader = new JoinReader(leaves);
        this.admissions = requireNonNull(admissions, "admissions is null");
        this.listing = requireNonNull(listing, "listing is null");
        this.pruning = new PruningCheck(implied.domains());
        this.implied = implied;
        this.control = control::packed;
        this.ledger = requireNonNull(ledger, "ledger is null");
    }

    /** One run of the optimizer. */
    private record PlanningRun(ConnectorSession session, VariableAllocator variables, PlanNodeIdAllocator ids, boolean writes, long deadlineNanos)
    {}

    /** Reports why the optimizer did not replace the joins. */
    private static final class RefusedException
            extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        private final transient Set<JoinRefusal> reasons;

        RefusedException(Set<JoinRefusal> reasons)
        {
            super(reasons.toString(), null, false, false);
            this.reasons = reasons;
        }

        RefusedException(JoinRefusal reason)
        {
            this(EnumSet.of(reason));
        }
    }

    @Override
    public PlanNode optimize(PlanNode plan, ConnectorSession session, VariableAllocator variables, PlanNodeIdAllocator ids)
    {
        if (engine.isEmpty() || maxDimensionBytes == 0 || FragmentSessionProperties.joinAdmission(session) == JoinAdmission.NEVER
                || !FragmentSessionProperties.isEnabled(session)) {
            return plan;
        }
        return rewrite(plan, new PlanningRun(session, variables, ids, writes(plan), System.nanoTime() + listingNanos));
    }

    private static boolean writes(PlanNode node)
    {
        return node instanceof TableWriterNode || node instanceof TableFinishNode || node instanceof DeleteNode
                || node.getSources().stream().anyMatch(JoinOptimizer::writes);
    }

    private PlanNode rewrite(PlanNode node, PlanningRun planning)
    {
        if (node instanceof AggregationNode aggregation && JoinReader.hasJoin(aggregation.getSource())) {
            Optional<PlanNode> replacement = attempt(aggregation, planning);
            if (replacement.isPresent()) {
                return replacement.get();
            }
        }
        if (node instanceof SemiJoinNode semi && JoinReader.hasJoin(semi.getFilteringSource()) && !JoinReader.facts(semi.getFilteringSource())
                .isEmpty()) {
            Optional<PlanNode> values = attempt(distinct(semi, planning), planning);
            if (values.isPresent()) {
                return semi.replaceChildren(List.of(rewrite(semi.getSource(), planning), values.get()));
            }
        }
        if (node instanceof TopNNode top && top.getStep() != TopNNode.Step.FINAL && JoinReader.hasJoin(top.getSource())
                && !JoinReader.facts(top.getSource()).isEmpty()) {
            TopNNode partial = step(top, TopNNode.Step.PARTIAL, top.getSource(), planning.ids.getNextId());
            Optional<PlanNode> replacement = LeafReader.selectsTop(partial) ? attempt(partial, planning) : Optional.empty();
            if (replacement.isPresent()) {
                // the nodes of the replacement do not keep the order of the rows
                return top.getStep() == TopNNode.Step.PARTIAL
                        ? replacement.get()
                        : step(top, TopNNode.Step.FINAL, replacement.get(), top.getId());
            }
        }
        List<PlanNode> sources = node.getSources().stream().map(source -> rewrite(source, planning)).toList();
        return sources.equals(node.getSources()) ? node : node.replaceChildren(sources);
    }

    private static TopNNode step(TopNNode top, TopNNode.Step step, PlanNode source, PlanNodeId id)
    {
        return new TopNNode(top.getSourceLocation(), id, source, top.getCount(), top.getOrderingScheme(), step);
    }

    /* The different values of the filtering source: a semi-join of these has the same rows. */
    private static AggregationNode distinct(SemiJoinNode semi, PlanningRun planning)
    {
        return new AggregationNode(
                semi.getSourceLocation(),
                planning.ids.getNextId(),
                semi.getFilteringSource(),
                Map.of(),
                AggregationNode.singleGroupingSet(List.of(semi.getFilteringSourceJoinVariable())),
                List.of(),
                AggregationNode.Step.SINGLE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private Optional<PlanNode> attempt(PlanNode root, PlanningRun planning)
    {
        Set<JoinRefusal> against = EnumSet.noneOf(JoinRefusal.class);
        Optional<PlanNode> replacement = Optional.empty();
        try {
            replacement = Optional.of(replacement(root, planning));
        }
        catch (RefusedException e) {
            against.addAll(e.reasons);
        }
        catch (RuntimeException e) {
            against.add(JoinRefusal.FAILED);
            failures.log("Cannot plan joins as one scan. They run as Presto planned them", e);
        }
        counters.count(against);
        FragmentRuntimeStats.joined(planning.session.getRuntimeStats(), against);
        Stream.concat(JoinReader.facts(source(root)).stream(), JoinReader.scans(source(root)).stream()).findFirst().ifPresent(
                scan -> against.forEach(reason -> missed(reason, scan, planning)));
        return replacement;
    }

    private static PlanNode source(PlanNode root)
    {
        return root.getSources().get(0);
    }

    private void missed(JoinRefusal reason, TableScanNode scan, PlanningRun planning)
    {
        Optional<MissReason> shown = MissReason.of(reason);
        if (shown.isPresent() && scan.getTable().getLayout().orElse(null) instanceof HiveTableLayoutHandle layout) {
            ledger.account(planning.session.getQueryId(), scope(layout), CacheLayer.FRAGMENT).misses(shown.get(), 1, 0);
        }
    }

    private Scope scope(HiveTableLayoutHandle layout)
    {
        return ledger.scope(layout.getSchemaTableName());
    }

    private PlanNode replacement(PlanNode root, PlanningRun planning)
    {
        Set<JoinRefusal> against = EnumSet.noneOf(JoinRefusal.class);
        if (planning.writes) {
            against.add(JoinRefusal.WRITES);
        }
        if (!isSplit(root, planning.session)) {
            against.add(JoinRefusal.AGGREGATION);
        }
        JoinTree anyOrder = tree(source(root), Map.of(), against);
        Leaf over = over(root, anyOrder);
        check(anyOrder, over, planning.session, against);
        if (!against.isEmpty()) {
            throw new RefusedException(against);
        }
        if (!admissions.isAdmitted(anyOrder, over, planning.session)) {
            throw new RefusedException(JoinRefusal.SEEN_ONCE);
        }
        BlobKey joins = admissions.overPartitions(anyOrder, over, planning.session);
        admissions.refusal(joins).ifPresent(reason -> {
            throw new RefusedException(reason);
        });
        try {
            return replacement(root, anyOrder, over, joins, planning);
        }
        catch (RefusedException e) {
            if (!Thread.currentThread().isInterrupted()) {
                e.reasons.stream().filter(LISTED::contains).forEach(reason -> admissions.refuse(joins, reason));
            }
            throw e;
        }
    }

    private PlanNode replacement(PlanNode root, JoinTree anyOrder, Leaf over, BlobKey joins, PlanningRun planning)
    {
        Optional<Choice> remembered = admissions.choice(joins);
        // the limit is the session's, so the bytes are remembered, but not the refusal
        if (remembered.isPresent() && !admissions.fitsQuery(remembered.get().buildBytes(), planning.session)) {
            throw new RefusedException(JoinRefusal.OVER_MEMORY);
        }
        Map<TableScanNode, DimensionListing.TableFiles> listed = list(anyOrder, remembered.map(Choice::fact), planning);
        JoinTree tree = implied.without(
                tree(source(root), listed, EnumSet.noneOf(JoinRefusal.class)),
                scan -> requireNonNull(listed.get(scan)).bytes() <= MOST_WHOLE_BYTES,
                planning.session);
        List<DimensionHandle> dimensions = new ArrayList<>();
        int splits = 0;
        long bytes = 0;
        int maxSplits = MAX_DIMENSION_SPLITS;
        for (JoinInput dimension : tree.inputs().subList(1, tree.inputs().size())) {
            List<EyrieSplit> files = requireNonNull(listed.get(dimension.scan()), "not listed").splits()
                    .orElseThrow(() -> new RefusedException(JoinRefusal.LARGE_TABLES));
            splits += files.size();
            bytes += requireNonNull(listed.get(dimension.scan())).bytes();
            EyrieLayoutHandle layout = (EyrieLayoutHandle) EyrieLayoutHandle.plain(EyrieLayoutHandle.layout(dimension.scan()), control.get(), Optional
                    .empty());
            if (listing.arePersonal(planning.session, files, layout)) {
                maxSplits = MAX_CHECKED_SPLITS;
            }
            boolean widened = !pruning.asksForWhatIsPruned(dimension.leaf(), dimension.scan(), planning.session);
            dimensions.add(DimensionHandle.of(widened ? layout.unconstrained() : layout, dimension.leaf(), sorted(files)));
        }
        if (splits > maxSplits) {
            throw new RefusedException(JoinRefusal.TOO_LARGE);
        }
        boolean fits = admissions.fitsQuery(bytes, planning.session);
        if (remembered.isEmpty() || !fits) {
            admissions.chose(joins, new Choice(anyOrder.inputs().stream().map(JoinInput::scan).toList().indexOf(tree.inputs().get(0).scan()), bytes));
        }
        if (!fits) {
            throw new RefusedException(JoinRefusal.OVER_MEMORY);
        }
        // only now is it known which table is the fact, whose conditions may follow the clock
        if (admissions.followsClock(tree, over, planning.session)) {
            throw new RefusedException(JoinRefusal.CLOCK);
        }
        return new JoinedPlan(planning.variables, planning.ids).of(root, joinedScan(tree, dimensions, planning), tree);
    }

    /* All splits of the fact, whenever they are computed, must see the same sums of doubles and the same arbitrary values: they depend on the order. */
    private static List<EyrieSplit> sorted(List<EyrieSplit> files)
    {
        return files.stream()
                .sorted(Comparator.<EyrieSplit, String>comparing(split -> split.getFileSplit().getPath())
                        .thenComparingLong(split -> split.getFileSplit().getStart()))
                .toList();
    }

    private TableScanNode joinedScan(JoinTree tree, List<DimensionHandle> dimensions, PlanningRun planning)
    {
        JoinInput fact = tree.inputs().get(0);
        HiveTableLayoutHandle layout = EyrieLayoutHandle.layout(fact.scan());
        EyrieLayoutHandle joined = EyrieLayoutHandle.joined(
                layout, new JoinHandle(LeafHandle.of(fact.leaf(), layout.getDataColumns()), tree.rows(), dimensions), control.get());
        TableHandle table = fact.scan().getTable();
        Map<VariableReferenceExpression, ColumnHandle> columns = JoinHandle.columns(tree.rows(), fact.leaf());
        return new TableScanNode(
                fact.scan().getSourceLocation(),
                planning.ids.getNextId(),
                new TableHandle(table.getConnectorId(), new JoinedTableHandle(joined), table.getTransaction(), Optional.of(joined)),
                List.copyOf(columns.keySet()),
                columns,
                fact.scan().getCurrentConstraint(),
                TupleDomain.all(),
                Optional.empty());
    }

    /* Everything that the fragment optimizer will check again: joins whose results are not cached would be computed by each query. */
    private boolean isSplit(PlanNode root, ConnectorSession session)
    {
        LeafEngine compiler = engine.orElseThrow();
        return compiler.splitsAggregations(session) && (!(root instanceof AggregationNode aggregation) || isSplit(aggregation, compiler));
    }

    private static boolean isSplit(AggregationNode aggregation, LeafEngine compiler)
    {
        return aggregation.getStep() == AggregationNode.Step.SINGLE
                && aggregation.getGroupingSetCount() == 1
                && aggregation.getGroupIdVariable().isEmpty()
                && aggregation.getHashVariable().isEmpty()
                && aggregation.getPreGroupedVariables().isEmpty()
                && aggregation.getGroupingKeys().isEmpty() == aggregation.hasEmptyGroupingSet()
                && aggregation.getAggregations().values().stream().allMatch(aggregate -> !aggregate.isDistinct()
                        && aggregate.getOrderBy().isEmpty()
                        && aggregate.getFilter().isEmpty()
                        && compiler.isDecomposable(aggregate.getFunctionHandle()));
    }

    private JoinTree tree(PlanNode source, Map<TableScanNode, DimensionListing.TableFiles> listed, Set<JoinRefusal> against)
    {
        JoinReading reading = reader.read(source, scan -> listed.containsKey(scan) ? requireNonNull(listed.get(scan)).bytes() : 0);
        against.addAll(reading.refusals());
        return reading.tree().orElseThrow(() -> new RefusedException(against));
    }

    /* The aggregation, or the selection of the first rows, as a leaf over the variables of the tree. */
    private static Leaf over(PlanNode root, JoinTree tree)
    {
        List<VariableReferenceExpression> values = root instanceof AggregationNode aggregation
                ? aggregation.getGroupingKeys()
                : root
                        .getOutputVariables();
        return new Leaf(
                JoinHandle.columns(tree.rows(), factOf(tree)),
                List.of(),
                List.of(),
                values.stream().map(value -> new Leaf.Projection(value, value)).toList(),
                root instanceof AggregationNode aggregation ? Optional.of(aggregates(aggregation)) : Optional.empty(),
                root instanceof TopNNode top ? Optional.of(LeafReader.topOf(top)) : Optional.empty());
    }

    private static List<Leaf.Aggregate> aggregates(AggregationNode aggregation)
    {
        return aggregation.getAggregations().entrySet().stream()
                .map(aggregate -> new Leaf.Aggregate(
                        aggregate.getKey(), aggregate.getValue().getCall(), aggregate.getValue().getMask().map(mask -> (RowExpression) mask)))
                .toList();
    }

    private static Leaf factOf(JoinTree tree)
    {
        Leaf fact = tree.inputs().get(0).leaf();
        if (fact.columns().isEmpty()) {
            throw new RefusedException(JoinRefusal.SHAPE);
        }
        return fact;
    }

    private void check(JoinTree tree, Leaf over, ConnectorSession session, Set<JoinRefusal> against)
    {
        if (over.values().anyMatch(value -> !leaves.refusals(value).isEmpty())) {
            against.add(JoinRefusal.EXPRESSION);
        }
        for (JoinInput input : tree.inputs()) {
            if (input.leaf().columns().isEmpty()) {
                against.add(JoinRefusal.SHAPE);
            }
            // the results contain the rows of all tables
            else if (!mayCache.test(scope(EyrieLayoutHandle.layout(input.scan())))) {
                against.add(JoinRefusal.DENIED);
            }
            else if (!FragmentOptimizer.isPlain(input.scan()) || !pruning.asksForWhatIsPruned(input.leaf(), input.scan(), session)) {
                against.add(JoinRefusal.LAYOUT);
            }
        }
    }

    /* Only dimensions need to be listed, but which table is the fact may not be known. */
    private Map<TableScanNode, DimensionListing.TableFiles> list(JoinTree tree, Optional<Integer> fact, PlanningRun planning)
    {
        Map<TableScanNode, DimensionListing.TableFiles> listed = new HashMap<>();
        fact.ifPresent(place -> listed.put(tree.inputs().get(place).scan(), LARGEST));
        int large = listed.size();
        List<JoinInput> inputs = tree.inputs().stream().filter(input -> !listed.containsKey(input.scan())).toList();
        try (DimensionListing.TableListings tables = listing.begin(inputs.stream().map(input -> input.scan().getTable()).toList(),
                planning.session)) {
            for (JoinInput input : inputs) {
                long maxBytes = input.grouped() ? maxDimensionBytes * GROUPED_SHARE : maxDimensionBytes;
                DimensionListing.TableFiles files = tables.next(maxBytes, MAX_DIMENSION_SPLITS, planning.deadlineNanos)
                        .orElseThrow(() -> new RefusedException(JoinRefusal.NOT_LISTED));
                large += files.splits().isPresent() ? 0 : 1;
                if (large > 1) {
                    throw new RefusedException(JoinRefusal.LARGE_TABLES);
                }
                listed.put(input.scan(), files.splits().isPresent() ? files : LARGEST);
            }
        }
        return listed;
    }
}
