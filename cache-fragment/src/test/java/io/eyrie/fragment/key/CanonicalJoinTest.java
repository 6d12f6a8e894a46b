// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.function.OperatorType;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.TestingLeaves;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinStage;
import io.eyrie.fragment.key.CanonicalJoin.CanonicalInput;
import io.eyrie.fragment.leaf.Leaf;
import org.junit.jupiter.api.Test;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN_OR_EQUAL;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static io.eyrie.fragment.TestingLeaves.CANONICAL;
import static io.eyrie.fragment.TestingLeaves.call;
import static io.eyrie.fragment.TestingLeaves.compare;
import static io.eyrie.fragment.TestingLeaves.leaf;
import static io.eyrie.fragment.TestingLeaves.project;
import static io.eyrie.fragment.TestingLeaves.scan;
import static io.eyrie.fragment.TestingLeaves.variable;
import static org.assertj.core.api.Assertions.assertThat;

/** The canonical form of joins has everything that their rows depend on, and no names of variables. */
class CanonicalJoinTest
{
    private static final CanonicalJoin.Factory JOINS = new CanonicalJoin.Factory(TestingLeaves.FUNCTIONS, TestingLeaves.BLOCKS);
    private static final List<String> PLAIN = form("", "INNER", List.of("a", "x"), 3, "v1", "v2");

    @Test
    void namesOfVariablesDoNotCount()
    {
        assertThat(form("_17", "INNER", List.of("a", "x"), 3, "v1", "v2")).isEqualTo(PLAIN);
    }

    @Test
    void kindKeysConditionsAndFilesCount()
    {
        assertThat(form("", "LEFT", List.of("a", "x"), 3, "v1", "v2").get(0)).isNotEqualTo(PLAIN.get(0));
        assertThat(form("", "INNER", List.of("b", "x"), 3, "v1", "v2").get(0)).isNotEqualTo(PLAIN.get(0));
        assertThat(form("", "INNER", List.of("a", "y"), 3, "v1", "v2").get(0)).isNotEqualTo(PLAIN.get(0));
        assertThat(form("", "INNER", List.of("a", "x"), 4, "v1", "v2").get(0)).isNotEqualTo(PLAIN.get(0));
        assertThat(form("", "INNER", List.of("a", "x"), 3, "v1", "v3").get(0)).isNotEqualTo(PLAIN.get(0));
        assertThat(form("", "INNER", List.of("a", "x"), 3, "v1").get(0)).isNotEqualTo(PLAIN.get(0));
    }

    @Test
    void filesHaveNoOrderButANumber()
    {
        assertThat(form("", "INNER", List.of("a", "x"), 3, "v2", "v1")).isEqualTo(PLAIN);
        assertThat(form("", "INNER", List.of("a", "x"), 3, "v1", "v2", "v2").get(0)).isNotEqualTo(PLAIN.get(0));
    }

    @Test
    void aDimensionByItsContentDoesNotDependOnItsFiles()
    {
        Leaf leaf = leafOf(variable("x", BIGINT), variable("y", BIGINT));
        CanonicalLeaf form = CANONICAL.of(leaf);
        Leaf filtered = leaf.withConjuncts(List.of(compare(LESS_THAN, variable("x", BIGINT), constant(3L, BIGINT))));
        byte[] content = {1, 2};
        CanonicalInput input = CanonicalInput.of(leaf, form, content);
        assertThat(CanonicalInput.of(leaf, form, content.clone()).rows()).isEqualTo(input.rows());
        assertThat(CanonicalInput.of(leaf, form, new byte[] {1, 3}).rows()).isNotEqualTo(input.rows());
        assertThat(CanonicalInput.of(filtered, CANONICAL.of(filtered), content).rows()).isNotEqualTo(input.rows());
        CanonicalInput files = CanonicalInput.of(leaf, form, List.of(split("v1")));
        assertThat(files.rows()).isNotEqualTo(input.rows());
        assertThat(input.values().keySet()).isEqualTo(files.values().keySet());
        // the key of the content has the files and the columns
        assertThat(files.content()).isEqualTo(CanonicalInput.of(leaf, form, List.of(split("v1"))).content());
        assertThat(files.content()).isNotEqualTo(CanonicalInput.of(leaf, form, List.of(split("v2"))).content());
        Leaf narrow = new Leaf(leaf.columns(), List.of(), List.of(), leaf.projections().subList(0, 1), Optional.empty());
        assertThat(files.content()).isNotEqualTo(CanonicalInput.of(narrow, CANONICAL.of(narrow), List.of(split("v1"))).content());
    }

    @Test
    void filesAreThoseOfAGenerationOfTheirTable()
    {
        Leaf leaf = leafOf(variable("x", BIGINT), variable("y", BIGINT));
        CanonicalInput files = CanonicalInput.of(leaf, CANONICAL.of(leaf), List.of(split("v1")));
        CanonicalInput first = files.inGeneration(new UUID(1, 1));
        CanonicalInput second = files.inGeneration(new UUID(1, 2));
        assertThat(files.inGeneration(new UUID(1, 1)).rows()).isEqualTo(first.rows());
        assertThat(second.rows()).isNotEqualTo(first.rows());
        assertThat(second.content()).as("the key of the rows' digest").isNotEqualTo(first.content());
        assertThat(second.values()).isEqualTo(first.values());
    }

    @Test
    void columnsOfAContentHaveOneOrder()
    {
        Leaf leaf = leafOf(variable("x", BIGINT), variable("y", BIGINT));
        Leaf swapped = new Leaf(leaf.columns(), List.of(), List.of(), List.of(leaf.projections().get(1), leaf.projections().get(0)), Optional
                .empty());
        int[] channels = CanonicalInput.channels(CANONICAL.of(leaf));
        int[] other = CanonicalInput.channels(CANONICAL.of(swapped));
        assertThat(channels).containsExactlyInAnyOrder(0, 1);
        assertThat(other).containsExactly(1 - channels[0], 1 - channels[1]);
    }

    @Test
    void twoScansOfOneTableHaveTheirOwnColumns()
    {
        Leaf fact = leafOf(variable("a", BIGINT), variable("b", BIGINT));
        Leaf one = leafOf(variable("x", BIGINT), variable("y", BIGINT));
        CanonicalInput dimension = CanonicalInput.of(one, CANONICAL.of(one), List.of(split("v")));
        VariableReferenceExpression second = variable("y_2", BIGINT);
        JoinRows rows = new JoinRows(0, fact.outputs(), List.of(
                join("INNER", 1, one.outputs(), variable("a", BIGINT), variable("x", BIGINT), List.of(variable("a", BIGINT), variable("b", BIGINT),
                        variable("y", BIGINT))),
                join("INNER", 2, List.of(variable("x_2", BIGINT), second), variable("b", BIGINT), variable("x_2", BIGINT), List.of(variable("y",
                        BIGINT), second))));
        CanonicalInput again = new CanonicalInput(dimension.rows(), Map.of(
                variable("x_2", BIGINT), dimension.values().get(variable("x", BIGINT)), second, dimension.values().get(variable("y", BIGINT))));
        CanonicalJoin join = JOINS.of(rows, List.of(CanonicalInput.of(fact, CANONICAL.of(fact), List.of()), dimension, again));
        assertThat(join.value(variable("y", BIGINT))).isNotEqualTo(join.value(second));
    }

    @Test
    void groupsAndConditionsOfPairsDoNotDependOnNames()
    {
        List<String> plain = grouped("", "sum", LESS_THAN, "a");
        assertThat(grouped("_3", "sum", LESS_THAN, "a")).isEqualTo(plain);
        assertThat(grouped("", "max", LESS_THAN, "a").get(0)).isNotEqualTo(plain.get(0));
        assertThat(grouped("", "sum", LESS_THAN_OR_EQUAL, "a").get(0)).isNotEqualTo(plain.get(0));
        // the row of the other side
        assertThat(grouped("", "sum", LESS_THAN, "x").get(0)).isNotEqualTo(plain.get(0));
    }

    /** Returns the identity of the rows, and of an aggregate, of a left join with groups of the same leaf. */
    private static List<String> grouped(String suffix, String aggregate, OperatorType operator, String compared)
    {
        VariableReferenceExpression a = variable("a" + suffix, BIGINT);
        VariableReferenceExpression b = variable("b" + suffix, BIGINT);
        VariableReferenceExpression x = variable("x" + suffix, BIGINT);
        VariableReferenceExpression y = variable("y" + suffix, BIGINT);
        VariableReferenceExpression value = variable("value" + suffix, BIGINT);
        Leaf leaf = leafOf(variable("a", BIGINT), variable("b", BIGINT));
        JoinRows groups = new JoinRows(1, List.of(x, y), List.of(new JoinStage(
                "GROUP", List.of(), List.of(), List.of(), List.of(), List.of(x, value), List.of(x, call(aggregate, BIGINT, y)))));
        JoinRows rows = new JoinRows(0, List.of(a, b), List.of(new JoinStage(
                "LEFT", List.of(groups), List.of(a), List.of(x), List.of(compare(operator, variable(compared + suffix, BIGINT), value)), List.of(b,
                        value),
                List.of())));
        Leaf fact = renamed(leaf, List.of(a, b));
        Leaf dimension = renamed(leaf, List.of(x, y));
        CanonicalJoin join = JOINS.of(rows, List.of(
                CanonicalInput.of(fact, CANONICAL.of(fact), List.of()), CanonicalInput.of(dimension, CANONICAL.of(dimension), List.of())));
        return Stream.of(join.rows(), join.value(value)).map(HexFormat.of()::formatHex).toList();
    }

    @Test
    void aLeafOverJoinsIsNotTheLeafOverATable()
    {
        Leaf fact = leafOf(variable("a", BIGINT), variable("b", BIGINT));
        CanonicalJoin join = JOINS.of(new JoinRows(0, fact.outputs(), List.of()), List.of(CanonicalInput.of(fact, CANONICAL.of(fact), List.of())));
        CanonicalLeaf over = CANONICAL.over(join, fact, column -> fact.columns().entrySet().stream().filter(entry -> entry.getValue().equals(column))
                .findFirst().orElseThrow().getKey());
        assertThat(over.rows()).isNotEqualTo(CANONICAL.of(fact).rows());
    }

    /** Returns the identity of the rows and of both variables after the last stage. */
    private static List<String> form(String suffix, String kind, List<String> keys, long bound, String... files)
    {
        VariableReferenceExpression a = variable("a" + suffix, BIGINT);
        VariableReferenceExpression b = variable("b" + suffix, BIGINT);
        VariableReferenceExpression x = variable("x" + suffix, BIGINT);
        VariableReferenceExpression y = variable("y" + suffix, BIGINT);
        Leaf fact = renamed(leafOf(variable("a", BIGINT), variable("b", BIGINT)), List.of(a, b));
        Leaf dimension = renamed(leafOf(variable("x", BIGINT), variable("y", BIGINT)), List.of(x, y));
        RowExpression condition = compare(LESS_THAN, y, constant(bound, BIGINT));
        JoinRows rows = new JoinRows(0, List.of(a, b), List.of(
                join(kind, 1, List.of(x, y), variable(keys.get(0) + suffix, BIGINT), variable(keys.get(1) + suffix, BIGINT), List.of(b, y)),
                new JoinStage("", List.of(), List.of(), List.of(), List.of(condition), List.of(b, y), List.of(b, y))));
        CanonicalJoin join = JOINS.of(rows, List.of(
                CanonicalInput.of(fact, CANONICAL.of(fact), List.of()),
                CanonicalInput.of(dimension, CANONICAL.of(dimension), Stream.of(files).map(CanonicalJoinTest::split).toList())));
        return Stream.of(join.rows(), join.value(b), join.value(y)).map(HexFormat.of()::formatHex).toList();
    }

    private static JoinStage join(String kind, int input, List<VariableReferenceExpression> variables, VariableReferenceExpression probe,
            VariableReferenceExpression build, List<VariableReferenceExpression> outputs)
    {
        return new JoinStage(kind, List.of(new JoinRows(input, variables, List.of())), List.of(probe), List.of(build), List.of(), outputs, List.of());
    }

    private static Leaf leafOf(VariableReferenceExpression one, VariableReferenceExpression other)
    {
        Leaf read = leaf(project(scan(one, other), variable("any", BIGINT), compare(LESS_THAN, one, other)));
        return new Leaf(read.columns(), List.of(), List.of(), List.of(new Leaf.Projection(one, one), new Leaf.Projection(other, other)), Optional
                .empty());
    }

    private static Leaf renamed(Leaf leaf, List<VariableReferenceExpression> outputs)
    {
        return new Leaf(leaf.columns(), List.of(), List.of(), List.of(
                new Leaf.Projection(outputs.get(0), leaf.projections().get(0).expression()),
                new Leaf.Projection(outputs.get(1), leaf.projections().get(1).expression())), Optional.empty());
    }

    private static SplitKey split(String version)
    {
        SplitKey.Builder builder = SplitKey.builder();
        Stream.of(KeyPart.values()).forEach(part -> builder.with(part, writer -> writer.text(part.name() + version)));
        return builder.build();
    }
}
