// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.expressions.DynamicFilters;
import com.facebook.presto.expressions.DynamicFilters.DynamicFilterExtractResult;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.hive.BaseHiveColumnHandle;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPlanOptimizer;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.Assignments;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.IndexSourceNode;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeId;
import com.facebook.presto.spi.plan.PlanNodeIdAllocator;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.plan.TopNNode;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.fragment.leaf.Refusal;
import io.eyrie.fragment.leaf.RefusalCounters;
import io.eyrie.presto.control.PackedState;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.LeafColumns;
import io.eyrie.presto.handle.LeafHandle;
import io.eyrie.presto.handle.WarmRequest;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.warm.WarmTableHandle;

import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/**
 * Puts a scan in place of each leaf whose result may be cached. It is the last of the connector's optimizers: it also converts the layouts of all
 * other scans to the class that the handle resolver names, and attaches the operators' commands to every layout.
 */
final class FragmentOptimizer
        implements ConnectorPlanOptimizer
{
    /* Each attempt reads all nodes below it, so attempts at every node of a chain would cost the square of its length. */
    private static final int MAX_READINGS = 6;
    private static final Leaf ROWS = new Leaf(Map.of(), List.of(), List.of(), List.of(), Optional.empty());

    private final Optional<LeafEngine> engine;
    private final LeafReader reader;
    private final PruningCheck pruning;
    private final Predicate<ConnectorSession> enabled;
    private final RefusalCounters counters;
    private final Supplier<Optional<PackedState>> control;
    private final Ledger ledger;
    private final LimitedLog log = new LimitedLog(FragmentOptimizer.class, Level.INFO);
    private final LimitedLog failures = new LimitedLog(FragmentOptimizer.class, Level.WARNING);

    FragmentOptimizer(Optional<LeafEngine> engine, LeafReader reader, DomainTranslator domains, Predicate<ConnectorSession> enabled,
            RefusalCounters counters, Supplier<Optional<PackedState>> control, Ledger ledger)
    {
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.control = requireNonNull(control, "control is null");
        this.engine = requireNonNull(engine, "engine is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.pruning = new PruningCheck(domains);
        this.enabled = requireNonNull(enabled, "enabled is null");
        this.counters = requireNonNull(counters, "counters is null");
    }

    @Override
    public PlanNode optimize(PlanNode plan, ConnectorSession session, VariableAllocator variables, PlanNodeIdAllocator ids)
    {
        return rewrite(plan, new OptimizerRun(
                engine.isPresent() && enabled.test(session) ? Optional.of(session) : Optional.empty(),
                MAX_READINGS,
                0,
                new HashSet<>(),
                variables,
                ids));
    }

    /**
     * One run of the optimizer. With a session, it replaces leaves; without one, only layouts.
     *
     * @param readings how many more nodes of the current chain the optimizer may try as the root of a leaf
     * @param hopeless how many nodes the optimizer passes before it tries the next one
     * @param missed the scans for which a miss was counted
     */
    private record OptimizerRun(
            Optional<ConnectorSession> session,
            int readings,
            int hopeless,
            Set<PlanNodeId> missed,
            VariableAllocator variables,
            PlanNodeIdAllocator ids)
    {
        OptimizerRun passing(int nodes)
        {
            return new OptimizerRun(session, readings, nodes, missed, variables, ids);
        }

        OptimizerRun afterReading()
        {
            return new OptimizerRun(readings > 1 ? session : Optional.empty(), readings - 1, hopeless, missed, variables, ids);
        }
    }

    /**
     * The outcome of reading a leaf.
     *
     * @param hopeless if the leaf is refused, how many nodes below its root cannot be the root of a leaf either
     */
    private record Attempt(Optional<PlanNode> replacement, int hopeless)
    {}

    private PlanNode rewrite(PlanNode node, OptimizerRun planning)
    {
        if (planning.session.isPresent() && (node instanceof AggregationNode || node instanceof ProjectNode || node instanceof FilterNode
                || LeafReader.selectsTop(node))) {
            if (planning.hopeless > 0) {
                return node.replaceChildren(List.of(rewrite(node.getSources().get(0), planning.passing(planning.hopeless - 1))));
            }
            Optional<TableScanNode> scan = below(node);
            if (scan.isPresent()) {
                Attempt attempt = withoutDynamicFilter(node, scan.get(), planning).orElseGet(() -> attempt(node, scan.get(), planning));
                return attempt.replacement.orElseGet(() -> node.replaceChildren(
                        List.of(rewrite(node.getSources().get(0), planning.afterReading().passing(attempt.hopeless)))));
            }
        }
        if (node instanceof IndexSourceNode index) {
            return named(index, planning);
        }
        if (node instanceof TableScanNode scan && isJoined(scan)) {
            return joined(scan, planning);
        }
        if (node instanceof TableScanNode scan) {
            return scan.getTable().getLayout().map(layout -> withLayout(scan, EyrieLayoutHandle.plain(layout, control.get(), warming(scan))))
                    .orElse(scan);
        }
        return node.replaceChildren(node.getSources().stream().map(source -> rewrite(source, planning)).toList());
    }

    private static boolean isJoined(TableScanNode scan)
    {
        return scan.getTable().getLayout().filter(EyrieLayoutHandle::isJoined).isPresent();
    }

    /* An index of joined scans names the table of a dimension: it gets the columns that the joins read. They are assigned, but not output. */
    private static PlanNode named(IndexSourceNode index, OptimizerRun planning)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>(index.getAssignments());
        index.getTableHandle().getLayout().filter(EyrieLayoutHandle.class::isInstance).flatMap(layout -> ((EyrieLayoutHandle) layout).named())
                .ifPresent(
                        named -> columns.putAll(LeafColumns.named(named, planning.variables)));
        return new IndexSourceNode(
                index.getSourceLocation(),
                index.getId(),
                index.getIndexHandle(),
                index.getTableHandle(),
                index.getLookupVariables(),
                index.getOutputVariables(),
                columns,
                index.getCurrentConstraint());
    }

    /* The rows of joins are a result, even if nothing above them could be made a part of it. */
    private static PlanNode joined(TableScanNode scan, OptimizerRun planning)
    {
        EyrieLayoutHandle layout = (EyrieLayoutHandle) scan.getTable().getLayout().orElseThrow();
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        scan.getOutputVariables().forEach(variable -> columns.put(variable, requireNonNull(scan.getAssignments().get(variable), "no column")));
        Leaf rows = new Leaf(
                columns,
                List.of(),
                List.of(),
                scan.getOutputVariables().stream().map(variable -> new Leaf.Projection(variable, variable)).toList(),
                Optional.empty());
        return scanOf(rows, TupleDomain.all(), scan, layout.getControl(), planning);
    }

    private static Optional<WarmRequest> warming(TableScanNode scan)
    {
        return scan.getTable().getConnectorHandle() instanceof WarmTableHandle warm ? Optional.of(warm.warming()) : Optional.empty();
    }

    /* Keeps dynamic filters above the leaf, because other parts of the query collect their values. The leaf is computed and cached without them. */
    private Optional<Attempt> withoutDynamicFilter(PlanNode node, TableScanNode scan, OptimizerRun planning)
    {
        if (!(node instanceof FilterNode filter)) {
            return Optional.empty();
        }
        DynamicFilterExtractResult extracted = DynamicFilters.extractDynamicFilters(filter.getPredicate());
        if (extracted.getDynamicConjuncts().isEmpty() || extracted.getStaticConjuncts().isEmpty()) {
            return Optional.empty();
        }
        PlanNode below = new FilterNode(
                filter.getSourceLocation(),
                planning.ids.getNextId(),
                filter.getSource(),
                LogicalRowExpressions.and(extracted.getStaticConjuncts()));
        List<RowExpression> dynamic = LogicalRowExpressions.extractConjuncts(filter.getPredicate()).stream().filter(DynamicFilters::isDynamicFilter)
                .toList();
        Attempt attempt = attempt(below, scan, planning);
        return Optional.of(new Attempt(
                attempt.replacement.map(leaf -> new FilterNode(filter.getSourceLocation(), filter.getId(), leaf, LogicalRowExpressions.and(dynamic))),
                attempt.hopeless));
    }

    private Attempt attempt(PlanNode root, TableScanNode scan, OptimizerRun planning)
    {
        Set<Refusal> against = EnumSet.noneOf(Refusal.class);
        Optional<PlanNode> replacement = Optional.empty();
        int hopeless = 0;
        try {
            if (isPlain(scan)) {
                LeafReader.LeafReading reading = reader.read(root);
                against.addAll(reading.refusals());
                hopeless = reading.hopeless();
                replacement = reading.leaf().flatMap(leaf -> replacement(root, leaf, scan, planning, against));
            }
            else {
                against.add(Refusal.LAYOUT);
                hopeless = Integer.MAX_VALUE;
            }
        }
        catch (RuntimeException e) {
            // the engine's predicate translator and its domains throw for some predicates that Presto itself never builds
            against.add(Refusal.FAILED);
            failures.log("Query " + planning.session.orElseThrow().getQueryId() + ": a plan fragment over " + table(scan).map(String::valueOf).orElse(
                    "a table")
                    + " cannot be prepared for the cache. Presto runs it as planned", e);
        }
        ConnectorSession session = planning.session.orElseThrow();
        counters.count(against);
        FragmentRuntimeStats.planned(session.getRuntimeStats(), against);
        if (against.contains(Refusal.TOO_LARGE)) {
            missed(MissReason.TOO_LARGE, scan, planning);
            log.log("Query " + session.getQueryId() + ": a plan fragment over " + table(scan).orElseThrow()
                    + " exceeds the limits of fragment results. Presto runs it as planned, and its results are not cached");
        }
        else if (against.contains(Refusal.FAILED)) {
            missed(MissReason.PLANNING_FAILED, scan, planning);
        }
        return new Attempt(replacement, hopeless);
    }

    /* Several nodes over a scan may be refused. Only the first counts, because a scan has one leaf at most. */
    private void missed(MissReason reason, TableScanNode scan, OptimizerRun planning)
    {
        if (planning.missed.add(scan.getId())) {
            Scope scope = table(scan).map(table -> ledger.scope(table)).orElse(Scope.NONE);
            ledger.account(planning.session.orElseThrow().getQueryId(), scope, CacheLayer.FRAGMENT).misses(reason, 1, 0);
        }
    }

    private static Optional<SchemaTableName> table(TableScanNode scan)
    {
        return scan.getTable().getLayout().filter(HiveTableLayoutHandle.class::isInstance).map(HiveTableLayoutHandle.class::cast)
                .map(HiveTableLayoutHandle::getSchemaTableName);
    }

    /** @param against receives the connector's own reasons to refuse the leaf; if there are any, the leaf is not replaced */
    private Optional<PlanNode> replacement(PlanNode root, Leaf leaf, TableScanNode scan, OptimizerRun planning, Set<Refusal> against)
    {
        TupleDomain<VariableReferenceExpression> asked = pruning.asked(leaf, planning.session.orElseThrow());
        // of joins, the fact's leaf was compared when they were replaced
        if (!isJoined(scan) && !PruningCheck.asksForWhatIsPruned(leaf, asked, scan)) {
            against.add(Refusal.LAYOUT);
        }
        if (!engine.orElseThrow().hasIntermediates(leaf)) {
            against.add(Refusal.AGGREGATE_KIND);
        }
        if (leaf.columns().isEmpty() && (leaf.aggregation().isEmpty() || !leaf.conjuncts().isEmpty())) {
            against.add(Refusal.BARE_SCAN);
        }
        if (!against.isEmpty()) {
            return Optional.empty();
        }
        if (leaf.columns().isEmpty()) {
            return Optional.of(withScan(root, scanOf(ROWS, TupleDomain.all(), scan, control.get(), planning)));
        }
        PlanNode rows = withNulls(scanOf(leaf, asked, scan, control.get(), planning), LeafColumns.nulls(leaf, asked), planning.ids);
        // a split may return more rows than its top, and a task reads many splits
        return Optional.of(root instanceof TopNNode ? root.replaceChildren(List.of(rows)) : rows);
    }

    /*
     * The leaf reads no column: it returns as many rows without columns as the scan does, and the engine counts them. If the scan returned the count as an
     * output, the engine would report the output as a column that the query read.
     */
    private static PlanNode withScan(PlanNode node, TableScanNode scan)
    {
        return node instanceof TableScanNode ? scan : node.replaceChildren(List.of(withScan(node.getSources().get(0), scan)));
    }

    /* The engine may rely on an output being NULL in all rows. A scan cannot promise this, but a projection can. */
    private static PlanNode withNulls(TableScanNode scan, Set<VariableReferenceExpression> nulls, PlanNodeIdAllocator ids)
    {
        if (nulls.isEmpty()) {
            return scan;
        }
        Assignments.Builder assignments = Assignments.builder();
        scan.getOutputVariables().forEach(variable -> assignments.put(
                variable,
                nulls.contains(variable) ? new ConstantExpression(null, variable.getType()) : variable));
        return new ProjectNode(scan.getSourceLocation(), ids.getNextId(), scan, assignments.build(), ProjectNode.Locality.LOCAL);
    }

    private static Optional<TableScanNode> below(PlanNode root)
    {
        return scan(root instanceof AggregationNode || root instanceof TopNNode ? root.getSources().get(0) : root);
    }

    private static Optional<TableScanNode> scan(PlanNode node)
    {
        if (node instanceof TableScanNode scan) {
            return Optional.of(scan);
        }
        return node instanceof ProjectNode || node instanceof FilterNode ? scan(node.getSources().get(0)) : Optional.empty();
    }

    static boolean isPlain(TableScanNode scan)
    {
        return scan.getTable().getLayout().filter(HiveTableLayoutHandle.class::isInstance).map(HiveTableLayoutHandle.class::cast)
                .filter(layout -> !layout.isPushdownFilterEnabled() && !layout.isPartialAggregationsPushedDown() && !layout
                        .isAppendRowNumberEnabled())
                .isPresent()
                && warming(scan).isEmpty()
                && scan.getAssignments().values().stream().allMatch(column -> column instanceof HiveColumnHandle hive
                        && hive.getPartialAggregation().isEmpty()
                        // the row id of a DELETE: without its filter, it would delete from the whole table
                        && !hive.getName().equals(HiveColumnHandle.updateRowIdHandle().getName())
                        && !HiveColumnHandle.isRowIdColumnHandle(hive));
    }

    /**
     * Whether the layout skips only rows that the leaf does not select. The layout skips stripes and row groups by domains from the plan, but the key
     * contains only the leaf's conjuncts.
     */
    static boolean impliesWhatIsPruned(TupleDomain<String> asked, HiveTableLayoutHandle layout)
    {
        Set<String> partitionKeys = layout.getPartitionColumns().stream().map(BaseHiveColumnHandle::getName).collect(Collectors.toSet());
        return asked.isNone() || layout.getDomainPredicate().getDomains().filter(pruned -> pruned.entrySet()
                .stream()
                .filter(entry -> !partitionKeys.contains(entry.getKey().getRootName()))
                .allMatch(entry -> entry.getKey().getPath().isEmpty()
                        && contains(entry.getValue(), asked.getDomains().orElseThrow().getOrDefault(
                                entry.getKey().getRootName(),
                                Domain.all(entry.getValue().getType())))))
                .isPresent();
    }

    /* For IS DISTINCT FROM, the engine's translator returns the constant's type, which may differ from the column's. */
    private static boolean contains(Domain pruned, Domain asked)
    {
        return pruned.getType().equals(asked.getType()) && pruned.contains(asked);
    }

    private static TableScanNode scanOf(Leaf leaf, TupleDomain<VariableReferenceExpression> asked, TableScanNode scan, Optional<PackedState> control,
            OptimizerRun planning)
    {
        HiveTableLayoutHandle layout = EyrieLayoutHandle.layout(scan);
        EyrieLayoutHandle replaced = EyrieLayoutHandle.of(layout, LeafHandle.of(leaf, layout.getDataColumns()), control);
        TableHandle table = withLayout(scan, replaced).getTable();
        // the engine learns constants of a scan from its constraint, which SHOW STATS also reads
        return new TableScanNode(
                scan.getSourceLocation(),
                scan.getId(),
                table,
                leaf.outputs(),
                LeafColumns.assignments(leaf, replaced.tableLeaf().orElseThrow(), planning.variables),
                scan.getCurrentConstraint().intersect(LeafColumns.fixed(leaf, asked)),
                scan.getEnforcedConstraint(),
                Optional.empty());
    }

    private static TableScanNode withLayout(TableScanNode scan, ConnectorTableLayoutHandle layout)
    {
        TableHandle table = scan.getTable();
        return new TableScanNode(
                scan.getSourceLocation(),
                scan.getId(),
                new TableHandle(table.getConnectorId(), table.getConnectorHandle(), table.getTransaction(), Optional.of(layout), table
                        .getDynamicFilter()),
                scan.getOutputVariables(),
                scan.getAssignments(),
                scan.getTableConstraints(),
                scan.getCurrentConstraint(),
                scan.getEnforcedConstraint(),
                scan.getCteMaterializationInfo());
    }
}
