// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.common.type.KllSketchType;
import com.facebook.presto.common.type.TDigestParametricType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeParameter;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.EquiJoinClause;
import com.facebook.presto.spi.plan.JoinNode;
import com.facebook.presto.spi.plan.JoinType;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.SemiJoinNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.join.JoinReader.JoinReading;
import io.eyrie.fragment.leaf.JoinKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.HyperLogLogType.HYPER_LOG_LOG;
import static com.facebook.presto.spi.plan.JoinType.FULL;
import static com.facebook.presto.spi.plan.JoinType.INNER;
import static com.facebook.presto.spi.plan.JoinType.LEFT;
import static com.facebook.presto.spi.plan.JoinType.RIGHT;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static io.eyrie.fragment.TestingLeaves.READER;
import static io.eyrie.fragment.TestingLeaves.aggregate;
import static io.eyrie.fragment.TestingLeaves.aggregation;
import static io.eyrie.fragment.TestingLeaves.call;
import static io.eyrie.fragment.TestingLeaves.compare;
import static io.eyrie.fragment.TestingLeaves.filter;
import static io.eyrie.fragment.TestingLeaves.id;
import static io.eyrie.fragment.TestingLeaves.operator;
import static io.eyrie.fragment.TestingLeaves.project;
import static io.eyrie.fragment.TestingLeaves.scan;
import static io.eyrie.fragment.TestingLeaves.variable;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests which plans become a tree of joins, which table is the fact, and which plans are refused. */
class JoinReaderTest
{
    private static final VariableReferenceExpression A = variable("a", BIGINT);
    private static final VariableReferenceExpression B = variable("b", BIGINT);
    private static final VariableReferenceExpression C = variable("c", BIGINT);
    private static final VariableReferenceExpression D = variable("d", BIGINT);
    private static final JoinReader JOINS = new JoinReader(READER);

    private final TableScanNode left = scan(A, B);
    private final TableScanNode right = scan(C, D);

    @Test
    void theLargestTableIsTheFactOfAnInnerJoin()
    {
        PlanNode join = join(INNER, left, right, Optional.empty());
        assertThat(JoinReader.facts(join)).containsExactly(left, right);
        JoinTree tree = read(join, left);
        assertThat(tree.inputs()).extracting(JoinTree.JoinInput::scan).containsExactly(left, right);
        JoinTree turned = read(join, right);
        assertThat(turned.inputs()).extracting(JoinTree.JoinInput::scan).containsExactly(right, left);
        assertThat(turned.rows().stages()).singleElement().satisfies(stage -> {
            assertThat(stage.kind()).contains(JoinKind.INNER);
            assertThat(stage.probeKeys()).containsExactly(C);
            assertThat(stage.buildKeys()).containsExactly(A);
            assertThat(stage.outputs()).containsExactly(C, D, A, B);
        });
    }

    @Test
    void onlyTheSideWhoseRowsRemainIsTheFactOfAnOuterJoin()
    {
        PlanNode leftJoin = join(LEFT, left, right, Optional.empty());
        assertThat(JoinReader.facts(leftJoin)).containsExactly(left);
        assertThat(read(leftJoin, right).inputs()).extracting(JoinTree.JoinInput::scan).containsExactly(left, right);
        PlanNode rightJoin = join(RIGHT, left, right, Optional.empty());
        assertThat(JoinReader.facts(rightJoin)).containsExactly(right);
        assertThat(read(rightJoin, left).inputs()).extracting(JoinTree.JoinInput::scan).containsExactly(right, left);
        assertThat(read(rightJoin, left).rows().stages().get(0).kind()).contains(JoinKind.LEFT);
    }

    @Test
    void semiJoinsAddTheirFlag()
    {
        VariableReferenceExpression flag = variable("flag", BOOLEAN);
        PlanNode semi = new SemiJoinNode(Optional.empty(), id(), left, right, A, C, flag, Optional.empty(), Optional.empty(), Optional.empty(), Map
                .of());
        assertThat(JoinReader.facts(semi)).containsExactly(left);
        JoinRows rows = read(filter(semi, flag), right).rows();
        assertThat(rows.stages()).extracting(JoinStage::kind).containsExactly(Optional.of(JoinKind.SEMI), Optional.empty());
        assertThat(rows.outputs()).containsExactly(A, B, flag);
    }

    @Test
    void filtersAndProjectionsBelowAJoinBelongToTheirScan()
    {
        VariableReferenceExpression sum = variable("sum", BIGINT);
        PlanNode build = project(filter(right, compare(LESS_THAN, C, constant(3L, BIGINT))), sum, operator(ADD, BIGINT, C, D));
        JoinTree tree = read(new JoinNode(
                Optional.empty(), id(), INNER, left, build, List.of(new EquiJoinClause(A, sum)), List.of(A, B, sum), Optional.empty(), Optional
                        .empty(),
                Optional.empty(), Optional.empty(), Map.of()), left);
        assertThat(tree.inputs().get(1).leaf().conjuncts()).hasSize(1);
        assertThat(tree.inputs().get(1).leaf().outputs()).containsExactly(sum);
        assertThat(tree.rows().stages().get(0).build().get(0).stages()).isEmpty();
    }

    @Test
    void conditionsAboveAProjectionKeepTheirPlace()
    {
        VariableReferenceExpression sum = variable("sum", BIGINT);
        JoinRows rows = read(filter(project(left, sum, operator(ADD, BIGINT, A, B)), compare(LESS_THAN, sum, constant(3L, BIGINT))), left).rows();
        assertThat(rows.variables()).containsExactly(sum);
        assertThat(rows.stages()).singleElement().satisfies(stage -> assertThat(stage.conjuncts()).hasSize(1));
    }

    @Test
    void conditionsOfAnInnerJoinAreEvaluatedAfterIt()
    {
        JoinRows rows = read(join(INNER, left, right, Optional.of(compare(LESS_THAN, B, D))), left).rows();
        assertThat(rows.stages()).extracting(JoinStage::kind).containsExactly(Optional.of(JoinKind.INNER), Optional.empty());
    }

    @ParameterizedTest
    @EnumSource(value = JoinType.class, names = {"LEFT", "RIGHT"})
    void conditionsOfOuterJoinsBelongToTheJoin(JoinType type)
    {
        RowExpression condition = compare(LESS_THAN, B, D);
        assertThat(read(join(type, left, right, Optional.of(condition)), left).rows().stages()).singleElement().satisfies(stage -> {
            assertThat(stage.kind()).contains(JoinKind.LEFT);
            assertThat(stage.conjuncts()).containsExactly(condition);
        });
    }

    @Test
    void smallTablesMayBeAggregated()
    {
        VariableReferenceExpression sum = variable("sum", BIGINT);
        PlanNode groups = complete(right, List.of(C), Map.of(sum, aggregation(call("sum", BIGINT, D))));
        PlanNode join = join(LEFT, left, filter(groups, compare(LESS_THAN, sum, constant(3L, BIGINT))), Optional.empty());
        assertThat(JoinReader.facts(join)).containsExactly(left);
        JoinTree tree = read(join, right);
        assertThat(tree.inputs()).extracting(JoinTree.JoinInput::grouped).containsExactly(false, true);
        assertThat(tree.rows().groupedInputs()).containsExactly(1);
        JoinRows build = tree.rows().stages().get(0).build().get(0);
        assertThat(build.stages()).hasSize(2);
        assertThat(build.groupKey(C)).as("past the filter").hasValue(0);
        assertThat(build.groupKey(sum)).isEmpty();
        assertThat(build.stages().get(0)).satisfies(stage -> {
            assertThat(stage.isGroup()).isTrue();
            assertThat(stage.kind()).isEmpty();
            assertThat(stage.keyCount()).isEqualTo(1);
            assertThat(stage.outputs()).containsExactly(C, sum);
        });
    }

    /* Which pairs come first depends on the memory of the worker. */
    @Test
    void aggregatesThatDependOnTheOrderOfPairsAreRefused()
    {
        VariableReferenceExpression e = variable("e", BIGINT);
        PlanNode pairs = join(INNER, right, scan(e), List.of(new EquiJoinClause(C, e)), Optional.empty());
        assertThat(refusals(join(LEFT, left, groups(pairs, "arbitrary"), Optional.empty()))).containsExactly(JoinRefusal.SHAPE);
        assertThat(read(join(LEFT, left, groups(right, "arbitrary"), Optional.empty()), left).inputs()).hasSize(2);
        for (String aggregate : List.of("sum", "max")) {
            assertThat(read(join(LEFT, left, groups(pairs, aggregate), Optional.empty()), left).inputs()).extracting(JoinTree.JoinInput::grouped)
                    .as("the rows of the last are a build side").containsExactly(false, true, false);
        }
    }

    /* Each worker computes the groups itself. */
    @Test
    void aggregatesThatDrawRandomNumbersAreRefused()
    {
        VariableReferenceExpression d = variable("d", DOUBLE);
        Type digests = TDigestParametricType.TDIGEST.createType(List.of(TypeParameter.of(DOUBLE)));
        VariableReferenceExpression digest = variable("digest", digests);
        VariableReferenceExpression hll = variable("hll", HYPER_LOG_LOG);
        TableScanNode side = scan(C, d, digest, hll);
        for (CallExpression random : List.of(call("sketch_kll", new KllSketchType(DOUBLE), d), call("tdigest_agg", digests, d), call("merge", digests,
                digest))) {
            PlanNode groups = complete(side, List.of(C), Map.of(variable("value", random.getType()), aggregation(random)));
            assertThat(refusals(join(LEFT, left, groups, Optional.empty()))).as("%s", random).containsExactly(JoinRefusal.SHAPE);
        }
        PlanNode groups = complete(side, List.of(C), Map.of(variable("value", HYPER_LOG_LOG), aggregation(call("merge", HYPER_LOG_LOG, hll))));
        assertThat(read(join(LEFT, left, groups, Optional.empty()), left).inputs()).hasSize(2);
    }

    @Test
    void keysOfGroupsAreFoundPastProjectionsAndJoins()
    {
        VariableReferenceExpression e = variable("e", BIGINT);
        VariableReferenceExpression renamed = variable("renamed", BIGINT);
        VariableReferenceExpression twice = variable("twice", BIGINT);
        PlanNode groups = complete(right, List.of(D, C), Map.of());
        PlanNode projected = project(groups, Map.of(renamed, C, twice, operator(ADD, BIGINT, C, C), D, D));
        PlanNode pairs = join(LEFT, projected, scan(e), List.of(new EquiJoinClause(D, e)), Optional.empty());
        JoinRows build = read(join(INNER, left, pairs, List.of(new EquiJoinClause(A, renamed)), Optional.empty()), left).rows().stages().get(0)
                .build().get(0);
        assertThat(build.stages()).hasSize(3);
        assertThat(build.groupKey(renamed)).hasValue(1);
        assertThat(build.groupKey(D)).hasValue(0);
        assertThat(build.groupKey(twice)).isEmpty();
        assertThat(build.groupKey(e)).as("of the other table").isEmpty();
        assertThat(build.stages().get(2).build().get(0).groupKey(e)).as("of rows that are no groups").isEmpty();
    }

    private static PlanNode groups(PlanNode source, String aggregate)
    {
        return complete(source, List.of(C), Map.of(variable("value", BIGINT), aggregation(call(aggregate, BIGINT, D))));
    }

    @Test
    void aProjectionDoesNotReplaceGroupsWithoutAggregates()
    {
        VariableReferenceExpression flag = variable("flag", BOOLEAN);
        PlanNode build = project(complete(right, List.of(C), Map.of()), flag, constant(true, BOOLEAN));
        PlanNode join = join(LEFT, left, build, List.of(new EquiJoinClause(A, flag)), Optional.empty());
        assertThat(read(join, left).rows().stages().get(0).build().get(0).stages()).extracting(JoinStage::isGroup).containsExactly(true, false);
    }

    @Test
    void groupsOfTheFactAreRefused()
    {
        PlanNode groups = complete(left, List.of(A), Map.of());
        assertThat(refusals(join(LEFT, groups, right, Optional.empty()))).containsExactly(JoinRefusal.SHAPE);
        assertThat(refusals(join(INNER, groups, complete(right, List.of(C), Map.of()), Optional.empty()))).containsExactly(JoinRefusal.SHAPE);
    }

    @Test
    void aggregatesThatAreNotOfAllRowsAreRefused()
    {
        VariableReferenceExpression sum = variable("sum", BIGINT);
        AggregationNode.Aggregation distinct = new AggregationNode.Aggregation(call("sum", BIGINT, D), Optional.empty(), Optional.empty(), true,
                Optional
                        .empty());
        VariableReferenceExpression mask = variable("mask", BOOLEAN);
        AggregationNode.Aggregation masked = new AggregationNode.Aggregation(
                call("sum", BIGINT, D), Optional.empty(), Optional.empty(), false, Optional.of(mask));
        for (AggregationNode.Aggregation refused : List.of(distinct, masked)) {
            assertThat(refusals(join(LEFT, left, complete(right, List.of(C), Map.of(sum, refused)), Optional.empty())))
                    .containsExactly(JoinRefusal.SHAPE);
        }
        assertThat(refusals(join(LEFT, left, complete(complete(right, List.of(C, D), Map.of()), List.of(C), Map.of()), Optional.empty())))
                .containsExactly(JoinRefusal.SHAPE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrossJoinWithOneRowIsAJoinByTheSameKey(boolean turned)
    {
        VariableReferenceExpression sum = variable("sum", BIGINT);
        PlanNode total = complete(right, List.of(), Map.of(sum, aggregation(call("sum", BIGINT, D))));
        RowExpression condition = compare(LESS_THAN, B, sum);
        JoinRows rows = read(cross(turned ? total : left, turned ? left : total, Optional.of(condition)), right).rows();
        assertThat(rows.outputs()).containsExactly(A, B, sum);
        assertThat(rows.stages()).extracting(JoinStage::kind).containsExactly(Optional.empty(), Optional.of(JoinKind.INNER), Optional.empty());
        assertThat(rows.stages().get(1)).satisfies(join -> {
            assertThat(join.probeKeys()).doesNotContainAnyElementsOf(join.buildKeys()).singleElement().isEqualTo(rows.stages().get(0).outputs().get(
                    2));
            assertThat(join.build().get(0).outputs()).containsExactly(sum, join.buildKeys().get(0));
        });
        assertThat(rows.stages().get(2).conjuncts()).containsExactly(condition);
    }

    @Test
    void whatASplitCannotDetermineIsRefused()
    {
        assertThat(refusals(join(FULL, left, right, Optional.empty()))).containsExactly(JoinRefusal.SHAPE);
        assertThat(refusals(cross(left, right, Optional.empty()))).containsExactly(JoinRefusal.SHAPE);
        assertThat(refusals(cross(left, complete(right, List.of(C), Map.of()), Optional.empty()))).containsExactly(JoinRefusal.SHAPE);
        assertThat(refusals(join(INNER, left, aggregate(right, List.of(C, D), Map.of()), Optional.empty()))).containsExactly(JoinRefusal.SHAPE);
    }

    @Test
    void whatIsNotDeterministicIsRefusedWhereverItStands()
    {
        RowExpression random = compare(LESS_THAN, call("random", DOUBLE), constant(0.5, DOUBLE));
        assertThat(refusals(filter(join(INNER, left, right, Optional.empty()), random))).containsExactly(JoinRefusal.EXPRESSION);
        assertThat(refusals(join(INNER, left, filter(right, random), Optional.empty()))).containsExactly(JoinRefusal.EXPRESSION);
        assertThat(refusals(join(INNER, filter(left, random), right, Optional.empty()))).containsExactly(JoinRefusal.EXPRESSION);
        assertThat(refusals(join(INNER, left, right, Optional.of(random)))).containsExactly(JoinRefusal.EXPRESSION);
    }

    @Test
    void aJoinWithoutOutputKeepsAColumn()
    {
        PlanNode count = new JoinNode(
                Optional.empty(), id(), INNER, left, right, List.of(new EquiJoinClause(A, C)), List.of(), Optional.empty(), Optional.empty(), Optional
                        .empty(),
                Optional.empty(), Map.of());
        assertThat(read(count, left).rows().outputs()).containsExactly(A);
    }

    @Test
    void manyJoinsAreRefused()
    {
        PlanNode node = join(INNER, left, right, Optional.empty());
        for (int i = 0; i < 200; i++) {
            node = filter(node, compare(LESS_THAN, A, constant((long) i, BIGINT)));
        }
        assertThat(refusals(node)).containsExactly(JoinRefusal.TOO_LARGE);
    }

    static PlanNode complete(PlanNode source, List<VariableReferenceExpression> keys,
            Map<VariableReferenceExpression, AggregationNode.Aggregation> aggregations)
    {
        return new AggregationNode(
                Optional.empty(), id(), source, aggregations, AggregationNode.singleGroupingSet(keys), List.of(), AggregationNode.Step.SINGLE,
                Optional
                        .empty(),
                Optional.empty(), Optional.empty());
    }

    private static PlanNode cross(PlanNode left, PlanNode right, Optional<RowExpression> filter)
    {
        return join(INNER, left, right, List.of(), filter);
    }

    private static PlanNode join(JoinType type, PlanNode left, PlanNode right, Optional<RowExpression> filter)
    {
        return join(type, left, right, List.of(new EquiJoinClause(A, C)), filter);
    }

    static PlanNode join(JoinType type, PlanNode left, PlanNode right, List<EquiJoinClause> clauses, Optional<RowExpression> filter)
    {
        List<VariableReferenceExpression> outputs = Stream.concat(left.getOutputVariables().stream(), right.getOutputVariables().stream()).toList();
        return new JoinNode(Optional.empty(), id(), type, left, right, clauses, outputs, filter, Optional.empty(), Optional
                .empty(), Optional.empty(), Map.of());
    }

    private static JoinTree read(PlanNode node, TableScanNode largest)
    {
        JoinReading reading = JOINS.read(node, scan -> scan == largest ? 2 : 1);
        return reading.tree().orElseThrow(() -> new AssertionError("refused: " + reading.refusals()));
    }

    private static Iterable<JoinRefusal> refusals(PlanNode node)
    {
        JoinReading reading = JOINS.read(node, scan -> 1);
        assertThat(reading.tree()).isEmpty();
        return reading.refusals();
    }
}
