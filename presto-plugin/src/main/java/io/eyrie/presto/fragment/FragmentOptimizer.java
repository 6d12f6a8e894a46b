package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.expressions.DynamicFilters;
import com.facebook.presto.expressions.DynamicFilters.DynamicFilterExtractResult;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.hive.BaseHiveColumnHandle;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPlanOptimizer;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.TableHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.PlanNodeIdAllocator;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.fragment.leaf.Refusal;
import io.eyrie.fragment.leaf.RefusalCounters;
import io.eyrie.presto.control.ControlState;
import io.eyrie.presto.warm.WarmTableHandle;
import io.eyrie.presto.warm.Warming;

import java.util.EnumSet;
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
 * Puts a scan in the place of each leaf whose result may be kept. The last of the connector's optimizers: all other scans get the resolver's class of layout here, and each
 * what operators have told the caches.
 */
final class FragmentOptimizer
        implements ConnectorPlanOptimizer
{
    private final Optional<LeafEngine> engine;
    private final LeafReader reader;
    private final DomainTranslator domains;
    private final Predicate<ConnectorSession> enabled;
    private final RefusalCounters counters;
    private final Supplier<Optional<ControlState>> control;

    FragmentOptimizer(Optional<LeafEngine> engine, LeafReader reader, DomainTranslator domains, Predicate<ConnectorSession> enabled,
            RefusalCounters counters, Supplier<Optional<ControlState>> control)
    {
        this.control = requireNonNull(control, "control is null");
        this.engine = requireNonNull(engine, "engine is null");
        this.reader = requireNonNull(reader, "reader is null");
        this.domains = requireNonNull(domains, "domains is null");
        this.enabled = requireNonNull(enabled, "enabled is null");
        this.counters = requireNonNull(counters, "counters is null");
    }

    @Override
    public PlanNode optimize(PlanNode plan, ConnectorSession session, VariableAllocator variables, PlanNodeIdAllocator ids)
    {
        return rewrite(plan, engine.isPresent() && enabled.test(session) ? Optional.of(session) : Optional.empty(), ids);
    }

    /* With a session leaves are replaced, without one the layouts alone. */
    private PlanNode rewrite(PlanNode node, Optional<ConnectorSession> session, PlanNodeIdAllocator ids)
    {
        if (session.isPresent() && (node instanceof AggregationNode || node instanceof ProjectNode || node instanceof FilterNode)) {
            Optional<PlanNode> replaced = withoutDynamicFilter(node, session.get(), ids).or(() -> replaced(node, session.get()));
            if (replaced.isPresent()) {
                return replaced.get();
            }
        }
        if (node instanceof TableScanNode scan) {
            return scan.getTable().getLayout().map(layout -> withLayout(scan, FragmentLayoutHandle.plain(layout, control.get(), warming(scan))))
                    .orElse(scan);
        }
        return node.replaceChildren(node.getSources().stream().map(source -> rewrite(source, session, ids)).toList());
    }

    private static Optional<Warming> warming(TableScanNode scan)
    {
        return scan.getTable().getConnectorHandle() instanceof WarmTableHandle warm ? Optional.of(warm.warming()) : Optional.empty();
    }

    /* What another part of the query collects stays above: the leaf is computed and kept without it. */
    private Optional<PlanNode> withoutDynamicFilter(PlanNode node, ConnectorSession session, PlanNodeIdAllocator ids)
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
                ids.getNextId(),
                filter.getSource(),
                LogicalRowExpressions.and(extracted.getStaticConjuncts()));
        List<RowExpression> dynamic = LogicalRowExpressions.extractConjuncts(filter.getPredicate()).stream().filter(DynamicFilters::isDynamicFilter)
                .toList();
        return replaced(below, session)
                .map(leaf -> new FilterNode(filter.getSourceLocation(), filter.getId(), leaf, LogicalRowExpressions.and(dynamic)));
    }

    private Optional<PlanNode> replaced(PlanNode root, ConnectorSession session)
    {
        Optional<TableScanNode> scan = scan(root instanceof AggregationNode aggregation ? aggregation.getSource() : root);
        if (scan.isEmpty()) {
            return Optional.empty();
        }
        LeafReader.Reading reading = reader.read(root);
        Set<Refusal> against = EnumSet.noneOf(Refusal.class);
        against.addAll(reading.refusals());
        if (!isPlain(scan.get()) || !reading.leaf().map(leaf -> asksForWhatIsPruned(leaf, scan.get(), session)).orElse(true)) {
            against.add(Refusal.LAYOUT);
        }
        reading.leaf().filter(leaf -> !engine.orElseThrow().hasIntermediates(leaf)).ifPresent(leaf -> against.add(Refusal.AGGREGATE_KIND));
        counters.count(against);
        FragmentRuntimeStats.planned(session.getRuntimeStats(), against);
        return against.isEmpty() ? reading.leaf().map(leaf -> scanOf(leaf, scan.get())) : Optional.empty();
    }

    private static Optional<TableScanNode> scan(PlanNode node)
    {
        if (node instanceof TableScanNode scan) {
            return Optional.of(scan);
        }
        return node instanceof ProjectNode || node instanceof FilterNode ? scan(node.getSources().get(0)) : Optional.empty();
    }

    private static boolean isPlain(TableScanNode scan)
    {
        return scan.getTable().getLayout().filter(HiveTableLayoutHandle.class::isInstance).map(HiveTableLayoutHandle.class::cast)
                .filter(layout -> !layout.isPushdownFilterEnabled() && !layout.isPartialAggregationsPushedDown() && !layout
                        .isAppendRowNumberEnabled())
                .isPresent()
                && warming(scan).isEmpty()
                && scan.getAssignments().values().stream().allMatch(column -> column instanceof HiveColumnHandle hive
                        && hive.getPartialAggregation().isEmpty()
                        // of a DELETE: without its filter it would be one of the whole table
                        && !hive.getName().equals(HiveColumnHandle.updateRowIdHandle().getName())
                        && !HiveColumnHandle.isRowIdColumnHandle(hive));
    }

    private boolean asksForWhatIsPruned(Leaf leaf, TableScanNode scan, ConnectorSession session)
    {
        TupleDomain<String> asked = domains.fromPredicate(session, LogicalRowExpressions.and(leaf.conjuncts()),
                DomainTranslator.BASIC_COLUMN_EXTRACTOR)
                .getTupleDomain()
                .transform(variable -> ((HiveColumnHandle) requireNonNull(leaf.columns().get(variable), "no column")).getName());
        return impliesWhatIsPruned(asked, (HiveTableLayoutHandle) scan.getTable().getLayout().orElseThrow());
    }

    /**
     * Whether rows that are asked for are none that a layout skips. It skips stripes and row groups by domains that came from the plan, and the key holds the leaf's
     * conjuncts alone.
     */
    static boolean impliesWhatIsPruned(TupleDomain<String> asked, HiveTableLayoutHandle layout)
    {
        Set<String> partitionKeys = layout.getPartitionColumns().stream().map(BaseHiveColumnHandle::getName).collect(Collectors.toSet());
        return asked.isNone() || layout.getDomainPredicate().getDomains().filter(pruned -> pruned.entrySet()
                .stream()
                .filter(entry -> !partitionKeys.contains(entry.getKey().getRootName()))
                .allMatch(entry -> entry.getKey().getPath().isEmpty()
                        && entry.getValue().contains(asked.getDomains().orElseThrow().getOrDefault(
                                entry.getKey().getRootName(),
                                Domain.all(entry.getValue().getType())))))
                .isPresent();
    }

    private PlanNode scanOf(Leaf leaf, TableScanNode scan)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        List<VariableReferenceExpression> outputs = leaf.outputs();
        for (int i = 0; i < outputs.size(); i++) {
            // one connector has one class of column handle: place and type are what is read of it again
            columns.put(outputs.get(i), new HiveColumnHandle(
                    "eyrie_leaf_" + i,
                    HiveType.HIVE_BINARY,
                    outputs.get(i).getType().getTypeSignature(),
                    i,
                    ColumnType.REGULAR,
                    Optional.empty(),
                    Optional.empty()));
        }
        HiveTableLayoutHandle layout = (HiveTableLayoutHandle) scan.getTable().getLayout().orElseThrow();
        TableHandle table = withLayout(scan, FragmentLayoutHandle.of(layout, LeafHandle.of(leaf), control.get())).getTable();
        // SHOW STATS reads the plan's constraint
        return new TableScanNode(
                scan.getSourceLocation(),
                scan.getId(),
                table,
                outputs,
                columns,
                scan.getCurrentConstraint(),
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
