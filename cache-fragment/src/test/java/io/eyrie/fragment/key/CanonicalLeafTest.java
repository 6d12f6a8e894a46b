// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.plan.AggregationNode.Aggregation;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.SpecialFormExpression.Form;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.testing.TestingMetadata.TestingColumnHandle;
import io.airlift.slice.Slices;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Order;
import io.eyrie.fragment.leaf.Leaf.Top;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.facebook.presto.common.block.SortOrder.ASC_NULLS_LAST;
import static com.facebook.presto.common.block.SortOrder.DESC_NULLS_LAST;
import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.function.OperatorType.SUBTRACT;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.IntegerType.INTEGER;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.AND;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.COALESCE;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IN;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.OR;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.sql.relational.Expressions.specialForm;
import static io.eyrie.fragment.TestingLeaves.CANONICAL;
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

final class CanonicalLeafTest
{
    private static final VariableReferenceExpression A = variable("a", BIGINT);
    private static final VariableReferenceExpression B = variable("b", BIGINT);
    private static final VariableReferenceExpression D = variable("d", DOUBLE);
    private static final VariableReferenceExpression S = variable("s", VARCHAR);

    @Test
    void namesOfVariablesDoNotMatter()
    {
        VariableReferenceExpression other = variable("expr_17", BIGINT);
        VariableReferenceExpression total = variable("total", BIGINT);
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        columns.put(other, new TestingColumnHandle("a"));
        CanonicalLeaf renamed = CANONICAL.of(leaf(aggregate(scan(columns), List.of(other), Map.of(total, aggregation(call("sum", BIGINT, other))))));
        CanonicalLeaf leaf = CANONICAL.of(leaf(aggregate(scan(A), List.of(A), Map.of(variable("x", BIGINT), aggregation(call("sum", BIGINT, A))))));
        assertThat(renamed.rows()).isEqualTo(leaf.rows());
        assertThat(renamed.outputs()).isEqualTo(leaf.outputs());
    }

    @Test
    void orderDoesNotMatterWhereItDoesNot()
    {
        RowExpression less = compare(LESS_THAN, A, B);
        RowExpression same = compare(EQUAL, A, number(1));
        assertSame(form(AND, less, same), form(AND, same, less));
        assertSame(form(AND, less, form(AND, same, less)), form(AND, same, less));
        assertSame(form(OR, less, same), form(OR, same, less, same));
        assertSame(same, compare(EQUAL, number(1), A));
        assertSame(less, compare(GREATER_THAN, B, A));
        assertSame(compare(EQUAL, operator(ADD, BIGINT, A, B), number(1)), compare(EQUAL, operator(ADD, BIGINT, B, A), number(1)));
        assertSame(specialForm(IN, BOOLEAN, A, number(1), number(2)), specialForm(IN, BOOLEAN, A, number(2), number(1), number(2)));
    }

    @Test
    void whatDiffersHasAnotherForm()
    {
        assertDiffer(
                compare(LESS_THAN, A, number(1)),
                compare(LESS_THAN, B, number(1)),
                compare(LESS_THAN, number(1), A),
                compare(LESS_THAN, A, number(2)),
                compare(LESS_THAN, A, constant(null, BIGINT)),
                compare(LESS_THAN, A, number(0)),
                compare(EQUAL, A, number(1)),
                compare(EQUAL, operator(SUBTRACT, BIGINT, A, B), number(1)),
                compare(EQUAL, operator(SUBTRACT, BIGINT, B, A), number(1)),
                compare(EQUAL, operator(ADD, BIGINT, A, B), number(1)),
                compare(EQUAL, specialForm(COALESCE, BIGINT, A, B), number(1)),
                compare(EQUAL, specialForm(COALESCE, BIGINT, B, A), number(1)),
                form(AND, compare(LESS_THAN, A, B), compare(EQUAL, A, number(1))),
                form(OR, compare(LESS_THAN, A, B), compare(EQUAL, A, number(1))),
                specialForm(IN, BOOLEAN, A, number(1), number(2)),
                specialForm(IN, BOOLEAN, number(1), A, number(2)),
                specialForm(IN, BOOLEAN, A, number(1)),
                compare(EQUAL, S, text("ab")),
                compare(EQUAL, S, text("ba")),
                compare(EQUAL, S, text("")),
                compare(LESS_THAN, D, constant(0.0, DOUBLE)),
                compare(LESS_THAN, D, constant(-0.0, DOUBLE)),
                compare(LESS_THAN, D, constant(Double.NaN, DOUBLE)));
    }

    @Test
    void equalConstantsOfDifferentTypesDiffer()
    {
        assertThat(expression(constant(1L, BIGINT), BIGINT)).isNotEqualTo(expression(constant(1L, INTEGER), INTEGER));
    }

    @Test
    void valuesThatShareTheirTextDiffer()
    {
        // a slice's text is its address and length
        byte[] first = new byte[2000];
        byte[] second = new byte[2000];
        second[1999] = 1;
        assertDiffer(
                compare(EQUAL, S, constant(Slices.wrappedBuffer(first), VARCHAR)),
                compare(EQUAL, S, constant(Slices.wrappedBuffer(second), VARCHAR)));
    }

    @Test
    void aggregatesOfTheSameGroupsShareTheirRows()
    {
        CanonicalLeaf sums = canonical(aggregation(call("sum", BIGINT, A)));
        CanonicalLeaf counts = canonical(aggregation(call("count", BIGINT)));
        CanonicalLeaf masked = canonical(new Aggregation(call("sum", BIGINT, A), Optional.empty(), Optional.empty(), false, Optional.of(variable("m",
                BOOLEAN))));
        assertThat(sums.rows()).isEqualTo(counts.rows()).isEqualTo(masked.rows());
        assertThat(List.of(sums.outputs(), counts.outputs(), masked.outputs())).doesNotHaveDuplicates();
        assertThat(sums.outputs().get(0)).isEqualTo(counts.outputs().get(0));
    }

    @Test
    void groupsOfOtherKeysAreOtherRows()
    {
        PlanNode source = scan(A, B);
        Map<VariableReferenceExpression, Aggregation> count = Map.of(variable("c", BIGINT), aggregation(call("count", BIGINT)));
        List<byte[]> rows = IntStream.range(0, 4)
                .mapToObj(keys -> List.of(List.<VariableReferenceExpression>of(), List.of(A), List.of(B), List.of(A, B)).get(keys))
                .map(keys -> CANONICAL.of(leaf(aggregate(source, keys, count))).rows())
                .toList();
        assertAllDiffer(rows);
        assertThat(CANONICAL.of(leaf(aggregate(source, List.of(B, A), count))).rows()).isEqualTo(rows.get(3));
    }

    @Test
    void rowsAndGroupsOfTheSameExpressionDiffer()
    {
        RowExpression predicate = compare(LESS_THAN, A, number(1));
        CanonicalLeaf rows = CANONICAL.of(leaf(filter(scan(A), predicate)));
        CanonicalLeaf groups = CANONICAL.of(leaf(aggregate(filter(scan(A), predicate), List.of(A), Map.of())));
        assertThat(rows.rows()).isNotEqualTo(groups.rows());
    }

    @Test
    void definitionIsWhatDefinesIt()
    {
        Leaf leaf = leaf(filter(scan(A, B), compare(LESS_THAN, A, number(1))));
        VariableReferenceExpression first = variable("$0", BIGINT);
        VariableReferenceExpression second = variable("$1", BIGINT);
        RowExpression sum = operator(ADD, BIGINT, A, B);
        Leaf defined = new Leaf(
                leaf.columns(),
                leaf.conjuncts(),
                List.of(new Leaf.Projection(first, sum), new Leaf.Projection(second, operator(SUBTRACT, BIGINT, first, A))),
                List.of(new Leaf.Projection(variable("x", BIGINT), operator(ADD, BIGINT, second, second))),
                Optional.empty());
        RowExpression difference = operator(SUBTRACT, BIGINT, sum, A);
        assertThat(CANONICAL.of(defined).outputs()).isEqualTo(expression(operator(ADD, BIGINT, difference, difference), BIGINT));
        assertThat(CANONICAL.of(defined).outputs()).isNotEqualTo(expression(operator(ADD, BIGINT, difference, sum), BIGINT));
    }

    @Test
    void columnsOfTheSameRowsShareThem()
    {
        RowExpression predicate = compare(LESS_THAN, A, number(1));
        CanonicalLeaf both = CANONICAL.of(leaf(filter(scan(A, B), predicate)));
        CanonicalLeaf turned = CANONICAL.of(leaf(filter(scan(B, A), predicate)));
        assertThat(both.rows()).isEqualTo(turned.rows());
        assertThat(both.outputs()).containsExactly(turned.outputs().get(1), turned.outputs().get(0));
    }

    @Test
    void topIsOtherRowsThanAll()
    {
        Leaf all = leaf(filter(scan(A, B), compare(LESS_THAN, A, number(1))));
        Leaf turned = leaf(filter(scan(B, A), compare(LESS_THAN, A, number(1))));
        Leaf fewer = leaf(project(filter(scan(A, B), compare(LESS_THAN, A, number(1))), A, A));
        List<CanonicalLeaf> tops = List.of(
                CANONICAL.of(all.withTop(top(3, new Order(A, ASC_NULLS_LAST)))),
                CANONICAL.of(all.withTop(top(4, new Order(A, ASC_NULLS_LAST)))),
                CANONICAL.of(all.withTop(top(3, new Order(B, ASC_NULLS_LAST)))),
                CANONICAL.of(all.withTop(top(3, new Order(A, DESC_NULLS_LAST)))),
                CANONICAL.of(all.withTop(top(3, new Order(A, ASC_NULLS_LAST), new Order(B, ASC_NULLS_LAST)))),
                // of equal rows, another run may have others
                CANONICAL.of(fewer.withTop(top(3, new Order(A, ASC_NULLS_LAST)))),
                CANONICAL.of(all));
        assertAllDiffer(tops.stream().map(CanonicalLeaf::rows).toList());
        assertThat(CANONICAL.of(turned.withTop(top(3, new Order(A, ASC_NULLS_LAST)))).rows()).isEqualTo(tops.get(0).rows());
        assertThat(tops.get(0).all().orElseThrow().rows()).isEqualTo(CANONICAL.of(all).rows());
        assertThat(tops.get(0).outputs()).isEqualTo(CANONICAL.of(all).outputs());
    }

    private static Optional<Top> top(long count, Order... orders)
    {
        return Optional.of(new Top(count, List.of(orders)));
    }

    private static CanonicalLeaf canonical(Aggregation aggregate)
    {
        PlanNode source = scan(A, B, variable("m", BOOLEAN));
        return CANONICAL.of(leaf(aggregate(source, List.of(B), Map.of(variable("out", BIGINT), aggregate))));
    }

    private static byte[] rows(RowExpression predicate)
    {
        return CANONICAL.of(leaf(filter(scan(A, B, D, S), predicate))).rows();
    }

    private static List<OutputId> expression(RowExpression expression, Type type)
    {
        Leaf leaf = leaf(filter(scan(A, B), compare(LESS_THAN, A, number(1))));
        return CANONICAL.of(new Leaf(leaf.columns(), leaf.conjuncts(), List.of(), List.of(new Leaf.Projection(variable("x", type), expression)),
                Optional
                        .empty()))
                .outputs();
    }

    private static void assertSame(RowExpression first, RowExpression second)
    {
        assertThat(rows(first)).isEqualTo(rows(second));
    }

    private static void assertDiffer(RowExpression... predicates)
    {
        assertAllDiffer(List.of(predicates).stream().map(CanonicalLeafTest::rows).toList());
    }

    private static void assertAllDiffer(List<byte[]> rows)
    {
        assertThat(rows.stream().map(Arrays::toString).toList()).doesNotHaveDuplicates();
    }

    private static RowExpression number(long value)
    {
        return constant(value, BIGINT);
    }

    private static RowExpression text(String value)
    {
        return constant(Slices.utf8Slice(value), VARCHAR);
    }

    private static RowExpression form(Form form, RowExpression... arguments)
    {
        return specialForm(form, BOOLEAN, arguments);
    }
}
