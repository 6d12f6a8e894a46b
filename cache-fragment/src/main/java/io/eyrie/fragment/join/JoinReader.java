// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.expressions.DynamicFilters;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.spi.plan.AbstractJoinNode;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.EquiJoinClause;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.JoinNode;
import com.facebook.presto.spi.plan.JoinType;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.SemiJoinNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.join.JoinTree.JoinInput;
import io.eyrie.fragment.leaf.JoinKind;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.fragment.leaf.LeafReader.LeafReading;
import io.eyrie.fragment.leaf.Refusal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.spi.plan.AggregationNode.Step.SINGLE;
import static com.facebook.presto.spi.plan.ProjectNode.Locality.REMOTE;
import static java.util.Objects.requireNonNull;

/** Reads {@link JoinTree}s from plans. Thread-safe. */
public final class JoinReader
{
    private static final int MAX_PLAN_NODES = 200;

    private final LeafReader leaves;

    public JoinReader(LeafReader leaves)
    {
        this.leaves = requireNonNull(leaves, "leaves is null");
    }

    /** The tree, or all reasons to refuse it that were found. */
    public record JoinReading(Optional<JoinTree> tree, Set<JoinRefusal> refusals)
    {}

    /** Returns all scans of a subplan. */
    public static List<TableScanNode> scans(PlanNode node)
    {
        return node instanceof TableScanNode scan ? List.of(scan) : node.getSources().stream().flatMap(source -> scans(source).stream()).toList();
    }

    /** Whether a subplan contains a join. */
    public static boolean hasJoin(PlanNode node)
    {
        return node instanceof AbstractJoinNode || node.getSources().stream().anyMatch(JoinReader::hasJoin);
    }

    /** Returns the scans whose rows determine those of the subplan, so that any of them can be the fact. */
    public static List<TableScanNode> facts(PlanNode node)
    {
        if (node instanceof TableScanNode scan) {
            return List.of(scan);
        }
        if (node instanceof FilterNode || node instanceof ProjectNode) {
            return facts(node.getSources().get(0));
        }
        if (node instanceof SemiJoinNode semi) {
            return facts(semi.getSource());
        }
        if (node instanceof JoinNode join) {
            return Stream.concat(
                    join.getType() == JoinType.RIGHT ? Stream.of() : facts(join.getLeft()).stream(),
                    join.getType() == JoinType.LEFT ? Stream.of() : facts(join.getRight()).stream()).toList();
        }
        return List.of();
    }

    /**
     * Reads a subplan with joins.
     *
     * @param bytes the size of a scan's files: the largest scan that can be the fact is
     */
    public JoinReading read(PlanNode root, ToLongFunction<TableScanNode> bytes)
    {
        Reader reader = new Reader(bytes);
        if (reader.count(root) > MAX_PLAN_NODES) {
            return new JoinReading(Optional.empty(), Set.of(JoinRefusal.TOO_LARGE));
        }
        Optional<JoinRows> rows = reader.rows(withoutOwnFilters(root, filtersOf(root)));
        if (!LeafReader.fits(reader.expressions)) {
            reader.against.add(JoinRefusal.TOO_LARGE);
        }
        return new JoinReading(
                reader.against.isEmpty() ? rows.map(read -> new JoinTree(reader.inputs, read)) : Optional.empty(),
                reader.against);
    }

    /* Returns the dynamic filters whose values joins of the subplan collect. */
    private static Set<String> filtersOf(PlanNode node)
    {
        Set<String> filters = new HashSet<>(node instanceof AbstractJoinNode join ? join.getDynamicFilters().keySet() : Set.of());
        node.getSources().forEach(source -> filters.addAll(filtersOf(source)));
        return filters;
    }

    /* A dynamic filter only drops rows that its join drops, too. */
    private static PlanNode withoutOwnFilters(PlanNode node, Set<String> filters)
    {
        List<PlanNode> sources = node.getSources().stream().map(source -> withoutOwnFilters(source, filters)).toList();
        if (node instanceof FilterNode filter) {
            List<RowExpression> conjuncts = LogicalRowExpressions.extractConjuncts(filter.getPredicate());
            List<RowExpression> left = conjuncts.stream()
                    .filter(conjunct -> DynamicFilters.getPlaceholder(conjunct).filter(placeholder -> filters.contains(placeholder.getId()))
                            .isEmpty())
                    .toList();
            return left.isEmpty() && !conjuncts.isEmpty()
                    ? sources.get(0)
                    : new FilterNode(filter.getSourceLocation(), filter.getId(), sources.get(0), LogicalRowExpressions.and(left));
        }
        return sources.equals(node.getSources()) ? node : node.replaceChildren(sources);
    }

    /** One reading. */
    private final class Reader
    {
        private final ToLongFunction<TableScanNode> bytes;
        private final Set<JoinRefusal> against = EnumSet.noneOf(JoinRefusal.class);
        private final List<JoinInput> inputs = new ArrayList<>();
        private final List<RowExpression> expressions = new ArrayList<>();
        // whether the nodes that are read are below an aggregation, and the first input below it
        private boolean grouped;
        private int firstGrouped;
        private int keys;

        Reader(ToLongFunction<TableScanNode> bytes)
        {
            this.bytes = bytes;
        }

        private int count(PlanNode node)
        {
            return 1 + node.getSources().stream().mapToInt(this::count).sum();
        }

        private Optional<JoinRows> refuse(JoinRefusal reason)
        {
            against.add(reason);
            return Optional.empty();
        }

        /* The first input that is read is the fact: the probe side is read before the build side. */
        Optional<JoinRows> rows(PlanNode node)
        {
            if (node instanceof TableScanNode || node instanceof FilterNode || node instanceof ProjectNode) {
                Optional<JoinRows> input = isChain(node) ? input(node) : Optional.empty();
                return input.isPresent() || node instanceof TableScanNode ? input : chain(node);
            }
            if (node instanceof SemiJoinNode semi) {
                return semi(semi);
            }
            if (node instanceof AggregationNode aggregation) {
                return group(aggregation);
            }
            return node instanceof JoinNode join ? join(join) : refuse(JoinRefusal.SHAPE);
        }

        /* Groups of one split of the fact would not be those of all splits. */
        private Optional<JoinRows> group(AggregationNode node)
        {
            boolean ofFact = inputs.isEmpty();
            if (ofFact || grouped || !isComplete(node)) {
                return refuse(JoinRefusal.SHAPE);
            }
            List<CallExpression> calls = node.getAggregations().values().stream().map(AggregationNode.Aggregation::getCall).toList();
            calls.forEach(this::check);
            // the order of the pairs depends on which side was in memory, which differs between workers, as random numbers do
            boolean hasPairs = hasPairs(node.getSource());
            if (calls.stream().anyMatch(call -> leaves.drawsRandomNumbers(call) || (hasPairs && leaves.dependsOnOrder(call)))) {
                return refuse(JoinRefusal.SHAPE);
            }
            grouped = true;
            firstGrouped = inputs.size();
            Optional<JoinRows> below = rows(node.getSource());
            grouped = false;
            return below.map(rows -> with(rows, JoinStage.group(node.getGroupingKeys(), List.copyOf(node.getAggregations().keySet()), calls)));
        }

        private static boolean hasPairs(PlanNode node)
        {
            return node instanceof JoinNode || node.getSources().stream().anyMatch(Reader::hasPairs);
        }

        private static boolean isComplete(AggregationNode node)
        {
            return node.getStep() == SINGLE
                    && node.getGroupingSetCount() == 1
                    && node.getGroupIdVariable().isEmpty()
                    && node.getGroupingKeys().isEmpty() == node.hasEmptyGroupingSet()
                    && node.getAggregations().values().stream().allMatch(aggregate -> !aggregate.isDistinct() && aggregate.getOrderBy().isEmpty()
                            && aggregate.getFilter().isEmpty() && aggregate.getMask().isEmpty());
        }

        private static boolean isChain(PlanNode node)
        {
            return node instanceof TableScanNode || ((node instanceof FilterNode || node instanceof ProjectNode) && isChain(node.getSources().get(
                    0)));
        }

        private Optional<JoinRows> input(PlanNode node)
        {
            LeafReading reading = leaves.readInput(node);
            if (reading.leaf().isEmpty()) {
                if (node instanceof TableScanNode || !reading.refusals().equals(Set.of(Refusal.SHAPE))) {
                    reading.refusals().forEach(this::refuseExpression);
                }
                return Optional.empty();
            }
            Leaf leaf = reading.leaf().get();
            expressions.addAll(leaf.conjuncts());
            leaf.values().forEach(expressions::add);
            inputs.add(new JoinInput(scans(node).get(0), leaf, grouped && inputs.size() == firstGrouped));
            return Optional.of(new JoinRows(inputs.size() - 1, leaf.outputs(), List.of()));
        }

        private void refuseExpression(Refusal reason)
        {
            against.add(switch (reason) {
                case DYNAMIC_FILTER -> JoinRefusal.DYNAMIC_FILTER;
                case TOO_LARGE -> JoinRefusal.TOO_LARGE;
                case SHAPE, BARE_SCAN -> JoinRefusal.SHAPE;
                default -> JoinRefusal.EXPRESSION;
            });
        }

        private Optional<JoinRows> chain(PlanNode node)
        {
            if (node instanceof FilterNode filter) {
                List<RowExpression> conjuncts = LogicalRowExpressions.extractConjuncts(filter.getPredicate());
                conjuncts.forEach(this::check);
                return rows(filter.getSource()).map(below -> with(below, JoinStage.chain(conjuncts, below.outputs(), List.copyOf(below.outputs()))));
            }
            ProjectNode project = (ProjectNode) node;
            if (project.getLocality() == REMOTE) {
                return refuse(JoinRefusal.SHAPE);
            }
            List<VariableReferenceExpression> outputs = List.copyOf(project.getAssignments().getVariables());
            List<RowExpression> values = outputs.stream().map(project.getAssignments()::get).toList();
            values.forEach(this::check);
            return rows(project.getSource()).map(below -> projected(below, outputs, values));
        }

        /* A projection directly above a filter is computed in one stage with it. */
        private JoinRows projected(JoinRows below, List<VariableReferenceExpression> outputs, List<RowExpression> values)
        {
            int last = below.stages().size() - 1;
            if (last >= 0 && below.stages().get(last).isChain() && below.stages().get(last).expressions().equals(below.outputs())) {
                return with(
                        new JoinRows(below.input(), below.variables(), below.stages().subList(0, last)),
                        JoinStage.chain(below.stages().get(last).conjuncts(), outputs, values));
            }
            return with(below, JoinStage.chain(List.of(), outputs, values));
        }

        private void check(RowExpression expression)
        {
            expressions.add(expression);
            if (LeafReader.fits(List.of(expression))) {
                leaves.refusals(expression).forEach(this::refuseExpression);
            }
        }

        private static JoinRows with(JoinRows below, JoinStage stage)
        {
            return new JoinRows(below.input(), below.variables(), Stream.concat(below.stages().stream(), Stream.of(stage)).toList());
        }

        private Optional<JoinRows> semi(SemiJoinNode semi)
        {
            Optional<JoinRows> probe = rows(semi.getSource());
            Optional<JoinRows> build = rows(semi.getFilteringSource());
            if (probe.isEmpty() || build.isEmpty()) {
                return Optional.empty();
            }
            List<VariableReferenceExpression> outputs = Stream.concat(probe.get().outputs().stream(), Stream.of(semi.getSemiJoinOutput())).toList();
            return Optional.of(with(probe.get(), JoinStage.join(
                    JoinKind.SEMI,
                    build.get(),
                    List.of(new EquiJoinClause(semi.getSourceJoinVariable(), semi.getFilteringSourceJoinVariable())),
                    List.of(),
                    outputs)));
        }

        private Optional<JoinRows> join(JoinNode node)
        {
            boolean cross = node.getCriteria().isEmpty();
            if (node.getType() == JoinType.FULL || node.getType() == JoinType.SOURCE_OUTER
                    || (cross && (node.getType() != JoinType.INNER || node.getSources().stream().noneMatch(Reader::isOneRow)))) {
                return refuse(JoinRefusal.SHAPE);
            }
            boolean turned = isTurned(node);
            Optional<JoinRows> probe = rows(turned ? node.getRight() : node.getLeft());
            Optional<JoinRows> build = rows(turned ? node.getLeft() : node.getRight());
            if (probe.isEmpty() || build.isEmpty()) {
                return Optional.empty();
            }
            List<EquiJoinClause> clauses = turned ? node.getCriteria().stream().map(EquiJoinClause::flip).toList() : node.getCriteria();
            if (cross) {
                probe = probe.map(this::withKey);
                build = build.map(this::withKey);
                clauses = List.of(new EquiJoinClause(last(probe.orElseThrow()), last(build.orElseThrow())));
            }
            Set<VariableReferenceExpression> read = new LinkedHashSet<>(node.getOutputVariables());
            node.getFilter().ifPresent(filter -> collect(filter, read));
            List<VariableReferenceExpression> outputs = new ArrayList<>(probe.get().outputs().stream().filter(read::contains).toList());
            outputs.addAll(build.get().outputs().stream().filter(read::contains).toList());
            if (outputs.isEmpty()) {
                // the size of a page without columns would not grow with its rows
                outputs.add(clauses.get(0).getLeft());
            }
            List<RowExpression> conjuncts = node.getFilter().map(LogicalRowExpressions::extractConjuncts).orElse(List.of());
            conjuncts.forEach(this::check);
            if (node.getType() != JoinType.INNER) {
                return Optional.of(with(probe.get(), JoinStage.join(JoinKind.LEFT, build.get(), clauses, conjuncts, outputs)));
            }
            JoinRows joined = with(probe.get(), JoinStage.join(JoinKind.INNER, build.get(), clauses, List.of(), outputs));
            return Optional.of(conjuncts.isEmpty() ? joined : with(joined, JoinStage.chain(conjuncts, outputs, List.copyOf(outputs))));
        }

        /* Whether a subplan has at most one row, whatever its tables contain. */
        private static boolean isOneRow(PlanNode node)
        {
            return node instanceof AggregationNode aggregation
                    ? aggregation.getGroupingKeys().isEmpty() && aggregation.getGroupingSetCount() == 1
                    : (node instanceof FilterNode || node instanceof ProjectNode) && isOneRow(node.getSources().get(0));
        }

        /* Adds a variable of the same value in each row: a cross join is one by equality of such variables. */
        private JoinRows withKey(JoinRows rows)
        {
            VariableReferenceExpression key = new VariableReferenceExpression(Optional.empty(), "one#" + keys++, BIGINT);
            return projected(
                    rows,
                    Stream.concat(rows.outputs().stream(), Stream.of(key)).toList(),
                    Stream.<RowExpression>concat(rows.outputs().stream(), Stream.of(new ConstantExpression(0L, BIGINT))).toList());
        }

        private static VariableReferenceExpression last(JoinRows rows)
        {
            return rows.outputs().get(rows.outputs().size() - 1);
        }

        /* Whether the right side is the probe side. */
        private boolean isTurned(JoinNode join)
        {
            if (join.getType() != JoinType.INNER) {
                return join.getType() == JoinType.RIGHT;
            }
            Optional<TableScanNode> largest = facts(join).stream().max(Comparator.comparingLong(bytes));
            return largest.filter(fact -> !scans(join.getLeft()).contains(fact)).isPresent();
        }

        private static void collect(RowExpression expression, Set<VariableReferenceExpression> variables)
        {
            if (expression instanceof VariableReferenceExpression variable) {
                variables.add(variable);
            }
            expression.getChildren().forEach(child -> collect(child, variables));
        }
    }
}
