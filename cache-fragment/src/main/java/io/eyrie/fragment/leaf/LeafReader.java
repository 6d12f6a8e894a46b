// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.expressions.RowExpressionNodeInliner;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.AggregationNode.Aggregation;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.DeterminismEvaluator;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf.Aggregate;
import io.eyrie.fragment.leaf.Leaf.Projection;

import java.util.ArrayList;
import java.util.EnumSet;
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
    private final FunctionMetadataManager functions;
    private final Predicate<FunctionHandle> engines;
    private final DeterminismEvaluator determinism;

    /** @param engines whether the engine itself implements a function */
    public LeafReader(FunctionMetadataManager functions, Predicate<FunctionHandle> engines, DeterminismEvaluator determinism)
    {
        this.engines = requireNonNull(engines, "engines is null");
        this.functions = requireNonNull(functions, "functions is null");
        this.determinism = requireNonNull(determinism, "determinism is null");
    }

    /** The leaf, or all reasons to refuse it. */
    public record Reading(Optional<Leaf> leaf, Set<Refusal> refusals)
    {}

    /** Whether a subplan exceeds the bounds on leaves. The check stops at the bounds, so it costs no more for a larger subplan. */
    public boolean isTooLarge(PlanNode root)
    {
        return !LeafSize.fits(root);
    }

    /** Reads the subplan rooted at {@code root}. */
    public Reading read(PlanNode root)
    {
        if (isTooLarge(root)) {
            return new Reading(Optional.empty(), Set.of(Refusal.TOO_LARGE));
        }
        Reader reader = new Reader();
        Optional<Leaf> leaf = root instanceof AggregationNode aggregation ? reader.aggregation(aggregation) : reader.rows(root);
        return new Reading(reader.against.isEmpty() ? leaf : Optional.empty(), Set.copyOf(reader.against));
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
            return RowExpressionNodeInliner.replaceExpression(expression, values);
        }
    }

    /** One reading. */
    private final class Reader
    {
        private final Set<Refusal> against = EnumSet.noneOf(Refusal.class);
        private final ExpressionCheck check = new ExpressionCheck(functions, engines, against);

        Optional<Leaf> rows(PlanNode root)
        {
            return chain(root).map(chain -> {
                List<Projection> projections = projections(chain, root.getOutputVariables());
                if (chain.conjuncts.isEmpty() && projections.stream().allMatch(projection -> chain.columns.containsKey(projection.expression()))) {
                    against.add(Refusal.BARE_SCAN);
                }
                return checked(chain, projections, Optional.empty());
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
                List<Aggregate> aggregates = new ArrayList<>();
                node.getAggregations().forEach((variable, aggregate) -> aggregates.add(aggregate(chain, variable, aggregate)));
                return checked(chain, projections(chain, node.getGroupingKeys()), Optional.of(aggregates));
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
            against.add(Refusal.SHAPE);
            return Optional.empty();
        }

        private Chain scan(TableScanNode scan)
        {
            if (scan.getCteMaterializationInfo().isPresent()) {
                against.add(Refusal.SHAPE);
            }
            Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
            Map<VariableReferenceExpression, RowExpression> values = new LinkedHashMap<>();
            for (VariableReferenceExpression variable : scan.getOutputVariables()) {
                columns.put(variable, requireNonNull(scan.getAssignments().get(variable), "a variable without a column"));
                values.put(variable, variable);
            }
            return new Chain(columns, List.of(), new Definitions(columns.keySet()), values, false);
        }

        private Chain filter(FilterNode filter, Chain below)
        {
            if (below.projected) {
                // an expression that fails for a row that the filter drops would no longer fail
                against.add(Refusal.SHAPE);
            }
            List<RowExpression> conjuncts = new ArrayList<>(below.conjuncts);
            LogicalRowExpressions.extractConjuncts(filter.getPredicate()).forEach(conjunct -> conjuncts.add(below.value(conjunct)));
            return new Chain(below.columns, conjuncts, below.definitions, below.values, false);
        }

        private Chain project(ProjectNode project, Chain below)
        {
            if (project.getLocality() == REMOTE) {
                against.add(Refusal.SHAPE);
            }
            Map<VariableReferenceExpression, RowExpression> values = new LinkedHashMap<>();
            project.getAssignments().forEach((variable, expression) -> {
                RowExpression value = below.value(expression);
                values.put(variable, isRepeated(value) ? value : below.definitions.define(value));
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
            Leaf leaf = chain.definitions.of(new Leaf(chain.columns, chain.conjuncts, List.of(), projections, aggregates));
            leaf.columns().keySet().forEach(this::checked);
            leaf.conjuncts().forEach(this::checked);
            leaf.values().forEach(this::checked);
            leaf.outputs().forEach(output -> check.check(output.getType()));
            return leaf;
        }

        private void checked(RowExpression expression)
        {
            expression.accept(check, null);
            if (!determinism.isDeterministic(expression)) {
                against.add(Refusal.NON_DETERMINISTIC);
            }
        }
    }

    /** Returns a call of the same function with other arguments. */
    static CallExpression withArguments(CallExpression call, UnaryOperator<RowExpression> argument)
    {
        return new CallExpression(
                call.getSourceLocation(),
                call.getDisplayName(),
                call.getFunctionHandle(),
                call.getType(),
                call.getArguments().stream().map(argument).toList());
    }
}
