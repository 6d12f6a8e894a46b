// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.AggregationNode.Aggregation;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.plan.TopNNode;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf.Aggregate;
import io.eyrie.fragment.leaf.Leaf.Order;
import io.eyrie.fragment.leaf.Leaf.Projection;
import io.eyrie.fragment.leaf.Leaf.Top;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import static com.facebook.presto.spi.plan.AggregationNode.Step.PARTIAL;
import static com.facebook.presto.spi.plan.ProjectNode.Locality.REMOTE;
import static java.util.Objects.requireNonNull;

/** Reads {@link Leaf}s from plans. Thread-safe. */
public final class LeafReader
{
    // each split returns so many rows, and a run holds them in memory
    private static final int MOST_TOP_ROWS = 10_000;

    private final FunctionMetadataManager functions;
    private final Predicate<FunctionHandle> engines;

    /** @param engines whether the engine itself implements a function */
    public LeafReader(FunctionMetadataManager functions, Predicate<FunctionHandle> engines)
    {
        this.engines = requireNonNull(engines, "engines is null");
        this.functions = requireNonNull(functions, "functions is null");
    }

    /**
     * The leaf, or all reasons to refuse it.
     *
     * @param hopeless the number of consecutive nodes directly below the root that cannot be the root of a leaf either, because their subplans
     *         contain the refused part
     */
    public record LeafReading(Optional<Leaf> leaf, Set<Refusal> refusals, int hopeless)
    {}

    /** Whether a node selects few enough of the first rows of each split to be the root of a leaf. */
    public static boolean selectsTop(PlanNode node)
    {
        return node instanceof TopNNode top && top.getStep() == TopNNode.Step.PARTIAL && top.getCount() > 0 && top.getCount() <= MOST_TOP_ROWS;
    }

    /** Returns the rows that a node selects. */
    public static Top topOf(TopNNode node)
    {
        return new Top(
                node.getCount(),
                node.getOrderingScheme().getOrderBy().stream().map(by -> new Order(by.getVariable(), by.getSortOrder())).toList());
    }

    /** Reads the subplan rooted at {@code root}. The check of its size stops at the bounds, so it costs no more for a larger subplan. */
    public LeafReading read(PlanNode root)
    {
        if (!LeafSize.fits(root)) {
            return new LeafReading(Optional.empty(), Set.of(Refusal.TOO_LARGE), Integer.MAX_VALUE);
        }
        Reader reader = new Reader();
        Optional<Leaf> leaf = root instanceof AggregationNode aggregation
                ? reader.aggregation(aggregation)
                : root instanceof TopNNode top ? reader.top(top) : reader.rows(root);
        return new LeafReading(reader.against.isEmpty() ? leaf : Optional.empty(), Set.copyOf(reader.against), Math.max(0, reader.level
                - reader.lowest));
    }

    /** Reads the rows of a subplan that a join reads: like {@link #read}, but accepts a scan that only reads columns. */
    public LeafReading readInput(PlanNode root)
    {
        LeafReading reading = read(root);
        if (!reading.refusals().equals(Set.of(Refusal.BARE_SCAN))) {
            return reading;
        }
        Reader reader = new Reader();
        Optional<Leaf> leaf = reader.chain(root).map(chain -> reader.checked(chain, reader.projections(chain, root.getOutputVariables()), Optional
                .empty()));
        return new LeafReading(leaf, Set.copyOf(reader.against), 0);
    }

    /** Whether an aggregate of all rows of a group may depend on the order of the rows. */
    public boolean dependsOnOrder(CallExpression aggregate)
    {
        return ExactStates.dependsOnOrder(functions, aggregate);
    }

    /** Whether an aggregate has another value whenever it is computed. */
    public boolean drawsRandomNumbers(CallExpression aggregate)
    {
        return ExactStates.drawsRandomNumbers(functions, aggregate);
    }

    /** Whether expressions together are within the bounds of a leaf. */
    public static boolean fits(Collection<RowExpression> expressions)
    {
        return LeafSize.fits(expressions);
    }

    /** Returns the reasons to refuse an expression in any place of a plan fragment. */
    public Set<Refusal> refusals(RowExpression expression)
    {
        Reader reader = new Reader();
        reader.check(expression, 0);
        return reader.against;
    }

    /**
     * A scan and the nodes above it, as far as they have been read: the conjuncts, and the value of each variable above them, which is a scan's
     * variable, a definition's, or a small constant. Substituting whole expressions instead would double the size with each level that uses one
     * twice.
     */
    private record Chain(
            Map<VariableReferenceExpression, ColumnHandle> columns,
            List<RowExpression> conjuncts,
            Definitions definitions,
            Map<VariableReferenceExpression, RowExpression> values,
            boolean projected)
    {
        RowExpression value(RowExpression expression)
        {
            return Substitution.replace(expression, values);
        }
    }

    /** One reading. It reads the nodes from the scan upward. */
    private final class Reader
    {
        private final Set<Refusal> against = EnumSet.noneOf(Refusal.class);
        // the number of nodes read so far above the scan
        private int level;
        // the level of the lowest node that contains a refused part; reasons that apply only to the root do not count
        private int lowest = Integer.MAX_VALUE;
        // the engine shares the handle of a function between its calls, and hashing one costs more than the rest of a check
        private final IdentityHashMap<FunctionHandle, Set<Refusal>> reasons = new IdentityHashMap<>();

        private void refuse(Refusal reason, int at)
        {
            against.add(reason);
            lowest = Math.min(lowest, at);
        }

        private void check(RowExpression expression, int at)
        {
            expression.accept(checkOf(at), null);
        }

        private ExpressionCheck checkOf(int at)
        {
            return new ExpressionCheck(
                    functions.getClass().getClassLoader(),
                    function -> reasons.computeIfAbsent(function, any -> ExpressionCheck.reasons(function, functions, engines)),
                    reason -> refuse(reason, at));
        }

        Optional<Leaf> rows(PlanNode root)
        {
            return chain(root).map(chain -> {
                Leaf leaf = checked(chain, projections(chain, root.getOutputVariables()), Optional.empty());
                if (leaf.isBare()) {
                    against.add(Refusal.BARE_SCAN);
                }
                return leaf;
            });
        }

        Optional<Leaf> aggregation(AggregationNode node)
        {
            if (node.getStep() != PARTIAL || node.getGroupingSetCount() != 1 || node.getGroupIdVariable().isPresent()
                    || node.getHashVariable().isPresent() || !node.getPreGroupedVariables().isEmpty()
                    || node.getGroupingKeys().isEmpty() != node.hasEmptyGroupingSet()) {
                against.add(Refusal.AGGREGATION_KIND);
            }
            return chain(node.getSource()).map(chain -> {
                level++;
                List<Aggregate> aggregates = new ArrayList<>();
                node.getAggregations().forEach((variable, aggregate) -> aggregates.add(aggregate(chain, variable, aggregate)));
                return checked(chain, projections(chain, node.getGroupingKeys()), Optional.of(aggregates));
            });
        }

        Optional<Leaf> top(TopNNode node)
        {
            return chain(node.getSource()).map(chain -> {
                level++;
                return checked(chain, projections(chain, node.getOutputVariables()), Optional.empty()).withTop(Optional.of(topOf(node)));
            });
        }

        private Aggregate aggregate(Chain chain, VariableReferenceExpression variable, Aggregation aggregate)
        {
            if (aggregate.isDistinct() || aggregate.getOrderBy().isPresent() || aggregate.getFilter().isPresent()) {
                against.add(Refusal.AGGREGATE_KIND);
            }
            return new Aggregate(variable, withArguments(aggregate.getCall(), chain::value), aggregate.getMask().map(chain::value));
        }

        private List<Projection> projections(Chain chain, List<VariableReferenceExpression> variables)
        {
            return variables.stream().map(variable -> new Projection(variable, chain.value(variable))).toList();
        }

        private Optional<Chain> chain(PlanNode node)
        {
            if (node instanceof TableScanNode scan) {
                return Optional.of(scan(scan));
            }
            if (node instanceof FilterNode filter) {
                return chain(filter.getSource()).map(below -> filter(filter, below));
            }
            if (node instanceof ProjectNode project) {
                return chain(project.getSource()).map(below -> project(project, below));
            }
            refuse(Refusal.SHAPE, 0);
            return Optional.empty();
        }

        private Chain scan(TableScanNode scan)
        {
            if (scan.getCteMaterializationInfo().isPresent()) {
                refuse(Refusal.SHAPE, level);
            }
            Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
            Map<VariableReferenceExpression, RowExpression> values = new LinkedHashMap<>();
            for (VariableReferenceExpression variable : scan.getOutputVariables()) {
                columns.put(variable, requireNonNull(scan.getAssignments().get(variable), "a variable without a column"));
                values.put(variable, variable);
                check(variable, level);
            }
            return new Chain(columns, List.of(), new Definitions(columns.keySet()), values, false);
        }

        private Chain filter(FilterNode filter, Chain below)
        {
            level++;
            if (below.projected) {
                // an expression that fails for a row that the filter drops would no longer fail
                refuse(Refusal.SHAPE, level);
            }
            List<RowExpression> conjuncts = new ArrayList<>(below.conjuncts);
            for (RowExpression conjunct : LogicalRowExpressions.extractConjuncts(filter.getPredicate())) {
                RowExpression value = below.value(conjunct);
                check(value, level);
                conjuncts.add(value);
            }
            return new Chain(below.columns, conjuncts, below.definitions, below.values, false);
        }

        private Chain project(ProjectNode project, Chain below)
        {
            level++;
            if (project.getLocality() == REMOTE) {
                refuse(Refusal.SHAPE, level);
            }
            Map<VariableReferenceExpression, RowExpression> values = new LinkedHashMap<>();
            project.getAssignments().forEach((variable, expression) -> {
                RowExpression value = below.value(expression);
                values.put(variable, isRepeated(value) ? value : below.definitions.define(value, level));
            });
            boolean computes = values.values().stream().anyMatch(value -> !below.columns.containsKey(value));
            return new Chain(below.columns, below.conjuncts, below.definitions, values, below.projected || computes);
        }

        private static boolean isRepeated(RowExpression value)
        {
            return value instanceof VariableReferenceExpression
                    || (value instanceof ConstantExpression constant && LeafSize.constantBytes(constant) <= LeafSize.SMALL_CONSTANT_BYTES);
        }

        private Leaf checked(Chain chain, List<Projection> projections, Optional<List<Aggregate>> aggregates)
        {
            Leaf leaf = new Leaf(chain.columns, chain.conjuncts, List.of(), projections, aggregates);
            leaf.values().forEach(value -> check(value, level));
            leaf.outputs().forEach(output -> checkOf(level).check(output.getType()));
            return chain.definitions.of(leaf, this::check);
        }
    }

    /** Returns a call of the same function with other arguments. */
    public static CallExpression withArguments(CallExpression call, UnaryOperator<RowExpression> argument)
    {
        return new CallExpression(
                call.getSourceLocation(),
                call.getDisplayName(),
                call.getFunctionHandle(),
                call.getType(),
                call.getArguments().stream().map(argument).toList());
    }
}
