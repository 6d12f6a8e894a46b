// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.type.DecimalType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.AggregationNode.Aggregation;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.sql.relational.Expressions;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.leaf.Leaf;
import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.VarbinaryType.VARBINARY;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.expressions.LogicalRowExpressions.and;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IS_NULL;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.sql.relational.Expressions.specialForm;
import static io.eyrie.fragment.TestingLeaves.CANONICAL;
import static io.eyrie.fragment.TestingLeaves.FUNCTIONS;
import static io.eyrie.fragment.TestingLeaves.aggregate;
import static io.eyrie.fragment.TestingLeaves.aggregation;
import static io.eyrie.fragment.TestingLeaves.call;
import static io.eyrie.fragment.TestingLeaves.compare;
import static io.eyrie.fragment.TestingLeaves.filter;
import static io.eyrie.fragment.TestingLeaves.leaf;
import static io.eyrie.fragment.TestingLeaves.operator;
import static io.eyrie.fragment.TestingLeaves.project;
import static io.eyrie.fragment.TestingLeaves.scan;
import static io.eyrie.fragment.TestingLeaves.variable;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests which leaves results of finer groups answer, and how. The module {@code engine} compares the groups. */
final class GroupedLeafTest
{
    private static final VariableReferenceExpression A = variable("a", BIGINT);
    private static final VariableReferenceExpression B = variable("b", BIGINT);
    private static final VariableReferenceExpression S = variable("s", VARCHAR);
    private static final VariableReferenceExpression D = variable("d", DOUBLE);
    private static final VariableReferenceExpression V = variable("v", BIGINT);
    private static final CallExpression SUM = call("sum", BIGINT, V);
    private static final CallExpression COUNT = call("count", BIGINT);

    @Test
    void fewerKeysAreReadFromTheKeysAndStates()
    {
        Leaf finer = groups(scan(A, B, S, V), List.of(A, B, S), SUM, COUNT);
        Leaf coarser = groups(scan(S, V), List.of(S), SUM);
        CoarserLeaf found = from(finer, coarser).orElseThrow();
        assertThat(found.columns()).containsExactlyElementsOf(CANONICAL.of(coarser).outputs());
        assertThat(found.leaf().conjuncts()).isEmpty();
        assertThat(found.leaf().outputs()).isEqualTo(coarser.outputs());
        assertThat(found.leaf().aggregates().get(0).call().getArguments()).containsExactly(List.copyOf(found.leaf().columns().keySet()).get(1));
        assertThat(from(finer, groups(scan(V), List.of(), COUNT, SUM)).orElseThrow().columns()).as("one group").hasSize(2);
    }

    @Test
    void otherGroupsAggregatesAndJoinsAreNotUsed()
    {
        Leaf finer = groups(scan(A, B, V), List.of(A, B), SUM);
        assertThat(from(finer, groups(scan(A, S, V), List.of(A, S), SUM))).as("another key").isEmpty();
        assertThat(from(finer, groups(scan(A, V), List.of(A), COUNT))).as("another aggregate").isEmpty();
        assertThat(from(finer, groups(scan(A, B, V), List.of(B, A), SUM))).as("the same groups").isEmpty();
        assertThat(from(groups(scan(V), List.of(), SUM), groups(filter(scan(A, V), less(A, 3)), List.of(), SUM))).as("without keys").isEmpty();
        Leaf coarser = groups(scan(A, V), List.of(A), SUM);
        Grouping other = new Grouping(Optional.of(new BlobKey(1, 2)), Set.of(), grouping(finer).keys(), grouping(finer)
                .aggregates(), Set.of());
        assertThat(grouped(coarser).from(other, grouping(coarser))).as("over joins").isEmpty();
    }

    @Test
    void conditionsOnKeysAreEvaluatedOnGroups()
    {
        RowExpression common = compare(GREATER_THAN, V, number(5));
        Leaf finer = groups(filter(scan(A, B, S, V), common), List.of(A, B, S), SUM);
        RowExpression onKeys = compare(LESS_THAN, operator(ADD, BIGINT, A, B), number(9));
        Leaf coarser = groups(filter(scan(A, B, S, V), and(onKeys, common, specialForm(IS_NULL, BOOLEAN, S))), List.of(A), SUM);
        CoarserLeaf found = from(finer, coarser).orElseThrow();
        assertThat(found.columns()).hasSize(4);
        assertThat(found.leaf().conjuncts()).hasSize(2);
        Leaf otherRows = groups(filter(scan(A, B, V), and(onKeys, compare(GREATER_THAN, V, number(6)))), List.of(A), SUM);
        assertThat(from(finer, otherRows)).as("another condition on rows").isEmpty();
        assertThat(from(finer, groups(filter(scan(A, B, V), onKeys), List.of(A), SUM))).as("rows that the finer result lacks").isEmpty();
    }

    @Test
    void keysMayBeComputedFromKeys()
    {
        VariableReferenceExpression x = variable("x", BIGINT);
        VariableReferenceExpression y = variable("y", BIGINT);
        Leaf finer = groups(scan(A, B), List.of(A, B), COUNT);
        Leaf computed = groups(project(scan(A), x, operator(ADD, BIGINT, A, number(1))), List.of(x), COUNT);
        assertThat(from(finer, computed).orElseThrow().columns()).hasSize(2);
        // a definition that is used twice
        PlanNode below = project(scan(A), x, operator(ADD, BIGINT, A, number(1)));
        Leaf twice = groups(project(below, y, operator(ADD, BIGINT, x, x)), List.of(y), COUNT);
        CoarserLeaf found = from(finer, twice).orElseThrow();
        assertThat(found.leaf().definitions()).hasSameSizeAs(twice.definitions());
        assertThat(found.columns()).hasSize(2);
        assertThat(from(computed, groups(scan(A), List.of(A), COUNT))).as("what the key was computed from").isEmpty();
        // the expression of a finer key as a part of another
        Leaf outer = groups(project(scan(A), y, operator(ADD, BIGINT, operator(ADD, BIGINT, A, number(1)), number(7))), List.of(y), COUNT);
        assertThat(from(computed, outer)).isPresent();
        Leaf filtered = groups(filter(scan(A), compare(EQUAL, operator(ADD, BIGINT, A, number(1)), number(7))), List.of(), COUNT);
        assertThat(from(computed, filtered)).isPresent();
    }

    @Test
    void nothingIsComputedFromValuesThatAreOnlyEqual()
    {
        Leaf finer = groups(scan(A, D), List.of(A, D), COUNT);
        assertThat(from(finer, groups(scan(D), List.of(D), COUNT))).as("the key itself").isPresent();
        assertThat(from(finer, groups(filter(scan(A, D), compare(LESS_THAN, D, constant(1.0, DOUBLE))), List.of(A), COUNT))).isEmpty();
        VariableReferenceExpression x = variable("x", DOUBLE);
        assertThat(from(finer, groups(project(scan(D), x, operator(ADD, DOUBLE, D, D)), List.of(x), COUNT))).isEmpty();
    }

    @Test
    void onlyStatesThatMergeExactlyAreMerged()
    {
        VariableReferenceExpression flag = variable("flag", BOOLEAN);
        for (CallExpression exact : List.of(COUNT, call("count", BIGINT, D), call("count_if", BIGINT, flag), SUM, call("min", BIGINT, V), call("max",
                VARCHAR, S), call("bool_and", BOOLEAN, flag), call("bool_or", BOOLEAN, flag), call("every", BOOLEAN, flag), call("checksum",
                        VARBINARY, D), call("bitwise_and_agg", BIGINT, V), call("bitwise_or_agg", BIGINT, V))) {
            assertThat(mostRows(exact)).as(exact.toString()).contains(Long.MAX_VALUE);
        }
        for (CallExpression inexact : List.of(call("sum", DOUBLE, D), call("avg", DOUBLE, V), call("avg", DOUBLE, D), call("min", DOUBLE, D), call(
                "max", DOUBLE, D), call("approx_distinct", BIGINT, V), call("stddev", DOUBLE, D), call("arbitrary", BIGINT, V), call("max_by",
                        BIGINT, V, S), call("geometric_mean", DOUBLE, V))) {
            assertThat(mostRows(inexact)).as(inexact.toString()).isEmpty();
        }
    }

    @Test
    void sumsOfDecimalsAreMergedIfNoOrderOverflows()
    {
        assertThat(mostRows(decimal("sum", 18))).contains(Long.MAX_VALUE);
        assertThat(mostRows(decimal("avg", 30))).contains(99_999_999L);
        assertThat(mostRows(decimal("sum", 37))).contains(9L);
        assertThat(mostRows(decimal("sum", 38))).isEmpty();
        assertThat(mostRows(decimal("max", 38))).contains(Long.MAX_VALUE);
    }

    private static CallExpression decimal(String function, int precision)
    {
        DecimalType type = DecimalType.createDecimalType(precision, 2);
        return Expressions.call(FUNCTIONS, function, DecimalType.createDecimalType(38, 2), variable("n", type));
    }

    private static Optional<Long> mostRows(CallExpression aggregate)
    {
        VariableReferenceExpression key = variable("key", VARCHAR);
        List<VariableReferenceExpression> arguments = aggregate.getArguments().stream().map(VariableReferenceExpression.class::cast).toList();
        Leaf coarser = groups(scan(arguments.toArray(VariableReferenceExpression[]::new)), List.of(), aggregate);
        Leaf finer = groups(scan(Stream.concat(Stream.of(key), arguments.stream()).toArray(VariableReferenceExpression[]::new)), List.of(key),
                aggregate);
        return from(finer, coarser).map(CoarserLeaf::mostRows);
    }

    private static RowExpression less(RowExpression left, long right)
    {
        return compare(LESS_THAN, left, number(right));
    }

    private static RowExpression number(long value)
    {
        return constant(value, BIGINT);
    }

    private static Leaf groups(PlanNode source, List<VariableReferenceExpression> keys, CallExpression... calls)
    {
        Map<VariableReferenceExpression, Aggregation> aggregates = new LinkedHashMap<>();
        for (CallExpression call : calls) {
            Type type = call.getType();
            aggregates.put(variable("aggregate" + aggregates.size(), type), aggregation(call));
        }
        AggregationNode node = aggregate(source, keys, aggregates);
        return leaf(node);
    }

    private static GroupedLeaf grouped(Leaf leaf)
    {
        return CANONICAL.of(leaf).grouped().orElseThrow();
    }

    private static Grouping grouping(Leaf leaf)
    {
        return grouped(leaf).grouping(Set.of());
    }

    private static Optional<CoarserLeaf> from(Leaf finer, Leaf coarser)
    {
        Grouping grouping = grouping(finer);
        assertThat(grouping.form(CANONICAL.of(finer).outputs()).rows()).as("finds the results of the finer leaf").isEqualTo(CANONICAL.of(finer)
                .rows());
        return grouped(coarser).from(grouping, grouping(coarser));
    }
}
