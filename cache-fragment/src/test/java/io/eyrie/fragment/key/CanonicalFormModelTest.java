// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.testing.TestingMetadata.TestingColumnHandle;
import io.eyrie.fragment.leaf.Leaf;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.function.OperatorType.SUBTRACT;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.AND;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.OR;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.sql.relational.Expressions.specialForm;
import static io.eyrie.fragment.TestingLeaves.CANONICAL;
import static io.eyrie.fragment.TestingLeaves.compare;
import static io.eyrie.fragment.TestingLeaves.operator;
import static io.eyrie.fragment.TestingLeaves.variable;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Creates random leaf fragments from few parts, so that equivalent ones are common, each written with its own names and order. Their keys must be
 * equal if and only if plain descriptions are, in which all reorderable parts are sorted.
 */
final class CanonicalFormModelTest
{
    private static final int COLUMNS = 2;
    private static final int CONSTANTS = 2;

    /** An expression and its description. */
    private record Term(RowExpression expression, String description)
    {}

    private record LeafDescription(CanonicalLeaf leaf, String rows, String outputs)
    {}

    @Property(tries = 3000)
    void keysAreEqualJustWhenLeavesAreEquivalent(@ForAll long one, @ForAll long other, @ForAll long order)
    {
        LeafDescription first = leaf(new Random(one), new Random(order), "x");
        LeafDescription second = leaf(new Random(one % 4 == 0 ? one : other), new Random(~order), "longer_name_");
        assertThat(Arrays.equals(first.leaf.rows(), second.leaf.rows())).isEqualTo(first.rows.equals(second.rows));
        assertThat(first.leaf.outputs().equals(second.leaf.outputs())).isEqualTo(first.outputs.equals(second.outputs));
    }

    @Property(tries = 500)
    void namesAndOrderNeverMatter(@ForAll long seed, @ForAll long order)
    {
        LeafDescription first = leaf(new Random(seed), new Random(order), "x");
        LeafDescription second = leaf(new Random(seed), new Random(~order), "y");
        assertThat(first.leaf.rows()).isEqualTo(second.leaf.rows());
        assertThat(first.leaf.outputs()).isEqualTo(second.leaf.outputs());
    }

    private static LeafDescription leaf(Random random, Random order, String prefix)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        List<VariableReferenceExpression> variables = new ArrayList<>();
        for (int column = 0; column < COLUMNS; column++) {
            variables.add(variable(prefix + column, BIGINT));
            columns.put(variables.get(column), new TestingColumnHandle("column" + column));
        }
        List<Term> conjuncts = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            conjuncts.add(condition(random, order, variables, 2));
        }
        Collections.shuffle(conjuncts, order);
        Term output = number(random, order, variables, 2);
        Leaf leaf = new Leaf(
                columns,
                conjuncts.stream().map(Term::expression).toList(),
                List.of(),
                List.of(new Leaf.Projection(variable(prefix, BIGINT), output.expression)),
                Optional.empty());
        return new LeafDescription(CANONICAL.of(leaf), new TreeSet<>(conjuncts.stream().map(Term::description).toList()).toString(),
                output.description);
    }

    private static Term number(Random random, Random order, List<VariableReferenceExpression> variables, int depth)
    {
        int kind = random.nextInt(depth == 0 ? 2 : 4);
        if (kind == 0) {
            int column = random.nextInt(COLUMNS);
            return new Term(variables.get(column), "c" + column);
        }
        if (kind == 1) {
            long value = random.nextInt(CONSTANTS);
            return new Term(constant(value, BIGINT), "n" + value);
        }
        Term left = number(random, order, variables, depth - 1);
        Term right = number(random, order, variables, depth - 1);
        if (kind == 2) {
            return new Term(operator(SUBTRACT, BIGINT, left.expression, right.expression), "(" + left.description + "-" + right.description + ")");
        }
        List<Term> turned = shuffled(List.of(left, right), order);
        return new Term(operator(ADD, BIGINT, turned.get(0).expression, turned.get(1).expression), sorted("+", List.of(left, right), false));
    }

    private static Term condition(Random random, Random order, List<VariableReferenceExpression> variables, int depth)
    {
        int kind = random.nextInt(depth == 0 ? 1 : 3);
        if (kind == 0) {
            Term left = number(random, order, variables, 1);
            Term right = number(random, order, variables, 1);
            RowExpression expression = order.nextBoolean()
                    ? compare(LESS_THAN, left.expression, right.expression)
                    : compare(GREATER_THAN, right.expression, left.expression);
            return new Term(expression, "(" + left.description + "<" + right.description + ")");
        }
        List<Term> parts = List.of(condition(random, order, variables, 0), condition(random, order, variables, 0), condition(random, order, variables,
                0));
        List<RowExpression> turned = shuffled(parts, order).stream().map(Term::expression).toList();
        return new Term(
                specialForm(kind == 1 ? AND : OR, BOOLEAN, turned.get(0), specialForm(kind == 1 ? AND : OR, BOOLEAN, turned.get(1), turned.get(2))),
                sorted(kind == 1 ? "&" : "|", parts, true));
    }

    private static List<Term> shuffled(List<Term> terms, Random order)
    {
        List<Term> copy = new ArrayList<>(terms);
        Collections.shuffle(copy, order);
        return copy;
    }

    private static String sorted(String operator, List<Term> terms, boolean once)
    {
        List<String> descriptions = terms.stream().map(Term::description).sorted().toList();
        return operator + (once ? new TreeSet<>(descriptions) : descriptions);
    }
}
