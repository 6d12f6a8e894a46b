package io.eyrie.fragment.leaf;

import com.facebook.presto.common.block.SortOrder;
import com.facebook.presto.common.type.BigintEnumType;
import com.facebook.presto.common.type.BigintEnumType.LongEnumMap;
import com.facebook.presto.expressions.LogicalRowExpressions;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.AggregationNode.Aggregation;
import com.facebook.presto.spi.plan.Assignments;
import com.facebook.presto.spi.plan.LimitNode;
import com.facebook.presto.spi.plan.Ordering;
import com.facebook.presto.spi.plan.OrderingScheme;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.InputReferenceExpression;
import com.facebook.presto.spi.relation.LambdaDefinitionExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.spi.plan.LimitNode.Step.PARTIAL;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static io.eyrie.fragment.TestingLeaves.READER;
import static io.eyrie.fragment.TestingLeaves.aggregate;
import static io.eyrie.fragment.TestingLeaves.aggregation;
import static io.eyrie.fragment.TestingLeaves.call;
import static io.eyrie.fragment.TestingLeaves.compare;
import static io.eyrie.fragment.TestingLeaves.filter;
import static io.eyrie.fragment.TestingLeaves.id;
import static io.eyrie.fragment.TestingLeaves.leaf;
import static io.eyrie.fragment.TestingLeaves.operator;
import static io.eyrie.fragment.TestingLeaves.project;
import static io.eyrie.fragment.TestingLeaves.scan;
import static io.eyrie.fragment.TestingLeaves.variable;
import static org.assertj.core.api.Assertions.assertThat;

final class LeafReaderTest
{
    private static final VariableReferenceExpression A = variable("a", BIGINT);
    private static final VariableReferenceExpression B = variable("b", BIGINT);
    private static final VariableReferenceExpression X = variable("x", BIGINT);
    private static final VariableReferenceExpression Y = variable("y", BIGINT);
    private static final VariableReferenceExpression SUM = variable("sum", BIGINT);
    private static final RowExpression ONE = constant(1L, BIGINT);

    @Test
    void chainIsReadInTermsOfTheScan()
    {
        RowExpression predicate = LogicalRowExpressions.and(compare(GREATER_THAN, A, ONE), compare(EQUAL, B, ONE));
        PlanNode twice = project(project(filter(scan(A, B), predicate), X, operator(ADD, BIGINT, A, ONE)), Y, operator(ADD, BIGINT, X, X));
        Leaf leaf = leaf(aggregate(twice, List.of(Y), Map.of(SUM, aggregation(call("sum", BIGINT, Y)))));
        RowExpression inlined = operator(ADD, BIGINT, operator(ADD, BIGINT, A, ONE), operator(ADD, BIGINT, A, ONE));
        assertThat(leaf.columns().keySet()).containsExactly(A, B);
        assertThat(leaf.conjuncts()).containsExactlyInAnyOrder(compare(GREATER_THAN, A, ONE), compare(EQUAL, B, ONE));
        assertThat(leaf.projections()).containsExactly(new Leaf.Projection(Y, inlined));
        assertThat(leaf.aggregates()).containsExactly(new Leaf.Aggregate(SUM, call("sum", BIGINT, inlined), Optional.empty()));
        assertThat(leaf.outputs()).containsExactly(Y, SUM);
    }

    @Test
    void variablesThatChangePlacesAreNotReplacedTwice()
    {
        PlanNode swapped = new ProjectNode(id(), filter(scan(A, B), compare(GREATER_THAN, A, B)), new Assignments(Map.of(A, B, B, A)));
        assertThat(leaf(swapped).projections())
                .containsExactlyInAnyOrder(new Leaf.Projection(A, B), new Leaf.Projection(B, A));
    }

    @Test
    void maskIsPartOfTheAggregate()
    {
        VariableReferenceExpression mask = variable("mask", BOOLEAN);
        Aggregation masked = new Aggregation(call("sum", BIGINT, A), Optional.empty(), Optional.empty(), false, Optional.of(mask));
        PlanNode source = new ProjectNode(id(), scan(A, B), new Assignments(Map.of(A, A, mask, compare(EQUAL, B, ONE))));
        assertThat(leaf(aggregate(source, List.of(), Map.of(SUM, masked))).aggregates())
                .containsExactly(new Leaf.Aggregate(SUM, call("sum", BIGINT, A), Optional.of(compare(EQUAL, B, ONE))));
    }

    @Test
    void otherNodesAreLeftAlone()
    {
        PlanNode filtered = filter(scan(A), compare(GREATER_THAN, A, ONE));
        assertRefused(new LimitNode(Optional.empty(), id(), filtered, 1, PARTIAL), Refusal.SHAPE);
        // the division would fail for rows that the filter lets out, if it were made first
        assertRefused(filter(project(scan(A), X, operator(ADD, BIGINT, A, ONE)), compare(GREATER_THAN, X, ONE)), Refusal.SHAPE);
        assertRefused(new ProjectNode(Optional.empty(), id(), filtered, Assignments.of(X, A), ProjectNode.Locality.REMOTE), Refusal.SHAPE);
    }

    @Test
    void columnsAloneAreLeftToTheDataCache()
    {
        assertRefused(scan(A, B), Refusal.BARE_SCAN);
        assertRefused(project(scan(A, B), X, A), Refusal.BARE_SCAN);
    }

    @Test
    void countingAllRowsIsALeaf()
    {
        Leaf leaf = leaf(aggregate(scan(A), List.of(), Map.of(SUM, aggregation(call("count", BIGINT)))));
        assertThat(leaf.projections()).isEmpty();
        assertThat(leaf.aggregates()).hasSize(1);
    }

    @Test
    void aggregationsOfOtherKindsAreLeftAlone()
    {
        Map<VariableReferenceExpression, Aggregation> sum = Map.of(SUM, aggregation(call("sum", BIGINT, A)));
        assertRefused(aggregationNode(sum, AggregationNode.Step.SINGLE, List.of(), Optional.empty()), Refusal.AGGREGATION_KIND);
        assertRefused(aggregationNode(sum, AggregationNode.Step.INTERMEDIATE, List.of(), Optional.empty()), Refusal.AGGREGATION_KIND);
        assertRefused(aggregationNode(sum, AggregationNode.Step.PARTIAL, List.of(A), Optional.empty()), Refusal.AGGREGATION_KIND);
        assertRefused(aggregationNode(sum, AggregationNode.Step.PARTIAL, List.of(), Optional.of(B)), Refusal.AGGREGATION_KIND);
    }

    @Test
    void distinctOrderedAndFilteredAggregatesAreLeftAlone()
    {
        CallExpression call = call("sum", BIGINT, A);
        OrderingScheme order = new OrderingScheme(List.of(new Ordering(A, SortOrder.ASC_NULLS_FIRST)));
        assertRefused(new Aggregation(call, Optional.empty(), Optional.empty(), true, Optional.empty()), Refusal.AGGREGATE_KIND);
        // never partial
        Aggregation ordered = new Aggregation(call, Optional.empty(), Optional.of(order), false, Optional.empty());
        assertRefused(aggregationNode(Map.of(SUM, ordered), AggregationNode.Step.SINGLE, List.of(), Optional.empty()), Refusal.AGGREGATE_KIND);
        assertRefused(new Aggregation(call, Optional.of(compare(EQUAL, A, ONE)), Optional.empty(), false, Optional.empty()), Refusal.AGGREGATE_KIND);
    }

    @Test
    void randomIsNeverKept()
    {
        assertRefused(filter(scan(variable("d", DOUBLE)), compare(GREATER_THAN, call("random", DOUBLE), variable("d", DOUBLE))),
                Refusal.NON_DETERMINISTIC);
        assertRefused(project(scan(A), variable("r", DOUBLE), call("random", DOUBLE)), Refusal.NON_DETERMINISTIC);
    }

    @Test
    void lambdasAndForeignExpressionsAreLeftAlone()
    {
        RowExpression lambda = new LambdaDefinitionExpression(Optional.empty(), List.of(BIGINT), List.of("x"), X);
        assertRefused(project(scan(A), Y, lambda), Refusal.LAMBDA);
        assertRefused(project(scan(A), Y, new InputReferenceExpression(Optional.empty(), 0, BIGINT)), Refusal.UNKNOWN_EXPRESSION);
    }

    @Test
    void typesWhoseNameDoesNotSayWhatTheyAreAreLeftAlone()
    {
        BigintEnumType mood = new BigintEnumType(new LongEnumMap("test.enum.mood", new HashMap<>(Map.of("HAPPY", 0L))));
        VariableReferenceExpression feeling = variable("feeling", mood);
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>(scan(A).getAssignments());
        columns.put(feeling, scan(variable("f", BIGINT)).getAssignments().get(variable("f", BIGINT)));
        assertRefused(filter(scan(columns), compare(GREATER_THAN, A, ONE)), Refusal.TYPE);
    }

    @Test
    void everyReasonOfARefusalIsCounted()
    {
        RefusalCounters counters = new RefusalCounters();
        counters.count(READER.read(filter(scan(A), compare(GREATER_THAN, A, ONE))).refusals());
        counters.count(Set.of(Refusal.SHAPE, Refusal.LAMBDA));
        counters.count(Set.of(Refusal.SHAPE));
        assertThat(counters.accepted()).isEqualTo(1);
        assertThat(counters.refused()).isEqualTo(2);
        assertThat(counters.reasons()).containsEntry(Refusal.SHAPE, 2L).containsEntry(Refusal.LAMBDA, 1L).containsEntry(Refusal.TYPE, 0L);
    }

    private static void assertRefused(Aggregation aggregate, Refusal reason)
    {
        assertRefused(aggregate(scan(A), List.of(), Map.of(SUM, aggregate)), reason);
    }

    private static void assertRefused(PlanNode root, Refusal reason)
    {
        LeafReader.Reading reading = READER.read(root);
        assertThat(reading.refusals()).contains(reason);
        assertThat(reading.leaf()).isEmpty();
    }

    private static AggregationNode aggregationNode(
            Map<VariableReferenceExpression, Aggregation> aggregations,
            AggregationNode.Step step,
            List<VariableReferenceExpression> grouped,
            Optional<VariableReferenceExpression> groupId)
    {
        return new AggregationNode(
                Optional.empty(),
                id(),
                scan(A, B),
                aggregations,
                AggregationNode.singleGroupingSet(List.of(A, B)),
                grouped,
                step,
                Optional.empty(),
                groupId,
                Optional.empty());
    }
}
