// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.block.SortOrder;
import com.facebook.presto.common.type.ArrayType;
import com.facebook.presto.common.type.BigintEnumType;
import com.facebook.presto.common.type.BigintEnumType.LongEnumMap;
import com.facebook.presto.common.type.Type;
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
import com.facebook.presto.spi.plan.TopNNode;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.InputReferenceExpression;
import com.facebook.presto.spi.relation.LambdaDefinitionExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.airlift.slice.Slices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.TimeWithTimeZoneType.TIME_WITH_TIME_ZONE;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.spi.plan.LimitNode.Step.PARTIAL;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IN;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.sql.relational.Expressions.specialForm;
import static com.facebook.presto.type.SfmSketchType.SFM_SKETCH;
import static io.airlift.slice.Slices.utf8Slice;
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
        VariableReferenceExpression plus = variable("$0", BIGINT);
        VariableReferenceExpression sum = variable("$1", BIGINT);
        assertThat(leaf.columns().keySet()).containsExactly(A, B);
        assertThat(leaf.conjuncts()).containsExactlyInAnyOrder(compare(GREATER_THAN, A, ONE), compare(EQUAL, B, ONE));
        assertThat(leaf.definitions()).containsExactly(
                new Leaf.Projection(plus, operator(ADD, BIGINT, A, ONE)),
                new Leaf.Projection(sum, operator(ADD, BIGINT, plus, plus)));
        assertThat(leaf.projections()).containsExactly(new Leaf.Projection(Y, sum));
        assertThat(leaf.aggregates()).containsExactly(new Leaf.Aggregate(SUM, call("sum", BIGINT, sum), Optional.empty()));
        assertThat(leaf.outputs()).containsExactly(Y, SUM);
    }

    @Test
    void whatIsUsedOnceOrByNothingIsNotDefined()
    {
        VariableReferenceExpression unused = variable("unused", BIGINT);
        PlanNode source = new ProjectNode(id(), filter(scan(A, B), compare(GREATER_THAN, A, ONE)), new Assignments(Map.of(
                X, operator(ADD, BIGINT, A, ONE), unused, operator(ADD, BIGINT, B, ONE), Y, ONE)));
        Leaf leaf = leaf(aggregate(source, List.of(Y), Map.of(SUM, aggregation(call("sum", BIGINT, X)))));
        assertThat(leaf.definitions()).isEmpty();
        assertThat(leaf.projections()).containsExactly(new Leaf.Projection(Y, ONE));
        assertThat(leaf.aggregates()).containsExactly(new Leaf.Aggregate(SUM, call("sum", BIGINT, operator(ADD, BIGINT, A, ONE)), Optional.empty()));
    }

    @Test
    void namesThatPlansUseAgainAreNotMistaken()
    {
        VariableReferenceExpression column = variable("$0", BIGINT);
        PlanNode twice = project(project(filter(scan(column), compare(GREATER_THAN, column, ONE)), column, operator(ADD, BIGINT, column, column)),
                column,
                operator(ADD, BIGINT, column, column));
        Leaf leaf = leaf(twice);
        VariableReferenceExpression defined = variable("$1", BIGINT);
        assertThat(leaf.definitions()).containsExactly(new Leaf.Projection(defined, operator(ADD, BIGINT, column, column)));
        assertThat(leaf.projections()).containsExactly(new Leaf.Projection(column, operator(ADD, BIGINT, defined, defined)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 14, 30, 150})
    void leafOfNestedProjectionsIsAsLargeAsTheyAre(int levels)
    {
        Leaf leaf = leaf(nested(scan(A), levels));
        assertThat(leaf.definitions()).hasSize(levels - 1);
        assertThat(leaf.projections()).hasSize(1);
        assertThat(leaf.values().mapToInt(LeafReaderTest::nodes).sum()).isEqualTo(3 * levels);
    }

    @Test
    void whatIsLargerThanTheBoundsIsLeftAlone()
    {
        assertRefused(nested(scan(A), LeafSize.MAX_DEPTH + 1), Refusal.TOO_LARGE);
        RowExpression deep = A;
        for (int i = 0; i <= LeafSize.MAX_DEPTH; i++) {
            deep = operator(ADD, BIGINT, deep, ONE);
        }
        assertRefused(project(scan(A), X, deep), Refusal.TOO_LARGE);
        RowExpression[] many = Stream.concat(Stream.of(A), LongStream.range(0, LeafSize.MAX_NODES).mapToObj(value -> constant(value, BIGINT)))
                .toArray(
                        RowExpression[]::new);
        assertRefused(filter(scan(A), specialForm(IN, BOOLEAN, many)), Refusal.TOO_LARGE);
        RowExpression text = constant(Slices.allocate((int) LeafSize.MAX_BYTES), VARCHAR);
        assertRefused(filter(scan(A), compare(EQUAL, text, text)), Refusal.TOO_LARGE);
        VariableReferenceExpression[] columns = IntStream.range(0, 2_000).mapToObj(column -> variable("c" + column, BIGINT)).toArray(
                VariableReferenceExpression[]::new);
        assertThat(leaf(filter(scan(columns), compare(GREATER_THAN, columns[0], ONE))).outputs()).hasSize(2_000);
    }

    @Test
    void largeConstantIsNotRepeated()
    {
        VariableReferenceExpression s = variable("s", VARCHAR);
        VariableReferenceExpression t = variable("t", BOOLEAN);
        RowExpression text = constant(Slices.allocate(1000), VARCHAR);
        PlanNode plan = project(project(filter(scan(s), compare(GREATER_THAN, s, s)), s, text), t, compare(EQUAL, s, s));
        assertThat(leaf(plan).definitions()).extracting(Leaf.Projection::expression).containsExactly(text);
    }

    /* x + x, the same of its result, and so on: expanded, it would have 2^levels variables. */
    private static PlanNode nested(PlanNode source, int levels)
    {
        PlanNode plan = source;
        VariableReferenceExpression last = A;
        for (int i = 0; i < levels; i++) {
            VariableReferenceExpression next = variable("x" + i, BIGINT);
            plan = project(plan, next, operator(ADD, BIGINT, last, last));
            last = next;
        }
        return plan;
    }

    private static int nodes(RowExpression expression)
    {
        return 1 + expression.getChildren().stream().mapToInt(LeafReaderTest::nodes).sum();
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
        // if the division were done first, it would fail for rows that the filter removes
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
    void topOfTheRowsIsALeaf()
    {
        Leaf leaf = leaf(top(filter(scan(A, B), compare(GREATER_THAN, A, ONE)), 3, TopNNode.Step.PARTIAL));
        assertThat(leaf.top()).contains(new Leaf.Top(3, List.of(new Leaf.Order(B, SortOrder.DESC_NULLS_FIRST))));
        assertThat(leaf.outputs()).containsExactly(A, B);
        assertThat(leaf.text(1000)).endsWith(" TOP 3 BY b DESC_NULLS_FIRST");
        assertThat(leaf(top(scan(A, B), 3, TopNNode.Step.PARTIAL)).isBare()).isTrue();
        assertRefused(top(new LimitNode(Optional.empty(), id(), scan(A, B), 1, PARTIAL), 3, TopNNode.Step.PARTIAL), Refusal.SHAPE);
        assertThat(LeafReader.selectsTop(top(scan(A, B), 10_000, TopNNode.Step.PARTIAL))).isTrue();
        assertThat(LeafReader.selectsTop(top(scan(A, B), 10_001, TopNNode.Step.PARTIAL))).isFalse();
        assertThat(LeafReader.selectsTop(top(scan(A, B), 3, TopNNode.Step.SINGLE))).isFalse();
        assertThat(LeafReader.selectsTop(top(scan(A, B), 3, TopNNode.Step.FINAL))).isFalse();
    }

    private static PlanNode top(PlanNode source, long count, TopNNode.Step step)
    {
        return new TopNNode(Optional.empty(), id(), source, count, new OrderingScheme(List.of(new Ordering(B, SortOrder.DESC_NULLS_FIRST))), step);
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
    void userOfTheSessionIsNeverKept()
    {
        assertRefused(project(scan(A), variable("u", VARCHAR), call("$current_user", VARCHAR)), Refusal.NON_DETERMINISTIC);
    }

    @Test
    void randomIsNeverKept()
    {
        assertRefused(filter(scan(variable("d", DOUBLE)), compare(GREATER_THAN, call("random", DOUBLE), variable("d", DOUBLE))),
                Refusal.NON_DETERMINISTIC);
        assertRefused(project(scan(A), variable("r", DOUBLE), call("random", DOUBLE)), Refusal.NON_DETERMINISTIC);
        VariableReferenceExpression d = variable("d", DOUBLE);
        assertRefused(aggregate(scan(d), List.of(), Map.of(SUM, aggregation(call("differential_entropy", DOUBLE, constant(10L, BIGINT), d)))),
                Refusal.NON_DETERMINISTIC);
        VariableReferenceExpression sketch = variable("s", SFM_SKETCH);
        assertRefused(aggregate(scan(sketch), List.of(), Map.of(SUM, aggregation(call("merge", SFM_SKETCH, sketch)))), Refusal.NON_DETERMINISTIC);
    }

    @Test
    void functionsOfTheSeasonAreNeverKept()
    {
        VariableReferenceExpression time = variable("t", TIME_WITH_TIME_ZONE);
        assertRefused(project(scan(A, time), variable("z", TIME_WITH_TIME_ZONE), call("at_timezone", TIME_WITH_TIME_ZONE, time, constant(
                utf8Slice("UTC"), VARCHAR))), Refusal.NON_DETERMINISTIC);
    }

    @Test
    void lambdasAndForeignExpressionsAreLeftAlone()
    {
        RowExpression lambda = new LambdaDefinitionExpression(Optional.empty(), List.of(BIGINT), List.of("x"), X);
        assertRefused(project(scan(A), Y, lambda), Refusal.LAMBDA);
        assertRefused(project(scan(A), Y, new InputReferenceExpression(Optional.empty(), 0, BIGINT)), Refusal.UNKNOWN_EXPRESSION);
    }

    @Test
    void functionsAndTypesOfPluginsAreLeftAlone()
    {
        // the function that the reader is configured not to consider the engine's
        assertRefused(project(scan(A), X, call("bitwise_not", BIGINT, A)), Refusal.NOT_BUILT_IN);
        assertRefused(filter(scan(A), compare(GREATER_THAN, call("bitwise_not", BIGINT, A), ONE)), Refusal.NOT_BUILT_IN);
        Type foreign = (Type) Proxy.newProxyInstance(new URLClassLoader(new URL[0], Type.class.getClassLoader()), new Class<?>[] {Type.class}, (
                proxy, method, arguments) -> method.invoke(BIGINT, arguments));
        VariableReferenceExpression shape = variable("shape", foreign);
        assertRefused(filter(scan(A, shape), compare(GREATER_THAN, A, ONE)), Refusal.TYPE);
        assertRefused(filter(scan(A, variable("shapes", new ArrayType(foreign))), compare(GREATER_THAN, A, ONE)), Refusal.TYPE);
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

    @Test
    void nodesThatContainWhatIsRefusedAreNotReadAgain()
    {
        VariableReferenceExpression unused = variable("unused", DOUBLE);
        PlanNode bottom = new ProjectNode(id(), filter(scan(A), compare(GREATER_THAN, A, ONE)), new Assignments(Map.of(
                A, call("random", BIGINT, A), unused, call("random", DOUBLE))));
        assertThat(READER.read(bottom).hopeless()).as("the root itself").isZero();
        PlanNode chain = nested(bottom, 5);
        assertThat(READER.read(chain).hopeless()).as("down to the projection with random()").isEqualTo(5);
        assertThat(READER.read(aggregate(chain, List.of(), Map.of(SUM, aggregation(call("sum", BIGINT, variable("x4", BIGINT)))))).hopeless())
                .as("below an aggregation").isEqualTo(6);
        RowExpression random = call("random", BIGINT, variable("x4", BIGINT));
        PlanNode top = aggregate(nested(scan(A), 5), List.of(), Map.of(SUM, aggregation(call("sum", BIGINT, random))));
        assertThat(READER.read(top).hopeless()).as("a reason against the root only").isZero();
        PlanNode filtered = filter(nested(scan(A), 5), compare(GREATER_THAN, variable("x4", BIGINT), ONE));
        assertThat(READER.read(project(filtered, X, variable("x4", BIGINT))).hopeless()).as("down to a filter over a projection").isEqualTo(1);
        assertThat(READER.read(nested(filter(scan(A), compare(GREATER_THAN, call("bitwise_not", BIGINT, A), ONE)), 5)).hopeless())
                .as("down to the filter").isEqualTo(5);
        assertThat(READER.read(nested(scan(A), LeafSize.MAX_DEPTH + 1)).hopeless()).as("all").isEqualTo(Integer.MAX_VALUE);
    }

    private static void assertRefused(Aggregation aggregate, Refusal reason)
    {
        assertRefused(aggregate(scan(A), List.of(), Map.of(SUM, aggregate)), reason);
    }

    private static void assertRefused(PlanNode root, Refusal reason)
    {
        LeafReader.LeafReading reading = READER.read(root);
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
