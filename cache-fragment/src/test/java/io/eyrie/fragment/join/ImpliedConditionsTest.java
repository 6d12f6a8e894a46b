// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.common.function.OperatorType;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.plan.EquiJoinClause;
import com.facebook.presto.spi.plan.JoinType;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.SemiJoinNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.sql.relational.FunctionResolution;
import com.facebook.presto.sql.relational.RowExpressionDomainTranslator;
import com.facebook.presto.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.BETWEEN;
import static com.facebook.presto.common.function.OperatorType.DIVIDE;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.expressions.LogicalRowExpressions.and;
import static com.facebook.presto.spi.plan.JoinType.INNER;
import static com.facebook.presto.spi.plan.JoinType.LEFT;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IN;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IS_NULL;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.sql.relational.Expressions.specialForm;
import static io.eyrie.fragment.TestingLeaves.FUNCTIONS;
import static io.eyrie.fragment.TestingLeaves.METADATA;
import static io.eyrie.fragment.TestingLeaves.READER;
import static io.eyrie.fragment.TestingLeaves.aggregation;
import static io.eyrie.fragment.TestingLeaves.call;
import static io.eyrie.fragment.TestingLeaves.filter;
import static io.eyrie.fragment.TestingLeaves.id;
import static io.eyrie.fragment.TestingLeaves.operator;
import static io.eyrie.fragment.TestingLeaves.project;
import static io.eyrie.fragment.TestingLeaves.scan;
import static io.eyrie.fragment.TestingLeaves.variable;
import static io.eyrie.fragment.join.JoinReaderTest.complete;
import static io.eyrie.fragment.join.JoinReaderTest.join;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests which conditions of dimensions the fact's own conditions make superfluous. */
class ImpliedConditionsTest
{
    private static final VariableReferenceExpression DAY = variable("day", BIGINT);
    private static final VariableReferenceExpression VALUE = variable("value", BIGINT);
    private static final VariableReferenceExpression DATE = variable("date", BIGINT);
    private static final VariableReferenceExpression WEEK = variable("week", BIGINT);
    private static final VariableReferenceExpression ID = variable("id", BIGINT);
    private static final ImpliedConditions IMPLIED = new ImpliedConditions(new RowExpressionDomainTranslator(METADATA), new Conditions(FUNCTIONS,
            new FunctionResolution(FUNCTIONS.getFunctionAndTypeResolver())));

    private final TableScanNode fact = scan(DAY, VALUE);
    private final TableScanNode calendar = scan(DATE, WEEK);
    private final TableScanNode weeks = scan(ID);

    @ParameterizedTest
    @EnumSource(value = JoinType.class, names = {"INNER", "LEFT"})
    void aRangeThatTheFactHasIsRemoved(JoinType type)
    {
        RowExpression other = call("not", BOOLEAN, specialForm(IS_NULL, BOOLEAN, WEEK));
        PlanNode join = byDay(type, filter(fact, between(DAY, 10, 20)), filter(calendar, and(between(DATE, 10, 20), other)));
        JoinTree tree = without(join);
        assertThat(tree.inputs().get(0).leaf().conjuncts()).containsExactly(between(DAY, 10, 20));
        assertThat(conjuncts(join)).containsExactly(other);
        assertThat(tree.rows()).isEqualTo(read(join).rows());
        assertThat(IMPLIED.without(read(join), scan -> scan != calendar, TestingConnectorSession.SESSION).inputs()).as("a large dimension")
                .isEqualTo(read(join).inputs());
    }

    @Test
    void onlyARangeThatTheFactImpliesIsRemoved()
    {
        assertThat(conjunctsOf(between(DAY, 10, 20), between(DATE, 10, 21))).as("a wider range").isEmpty();
        assertThat(conjunctsOf(between(DAY, 10, 20), compare(GREATER_THAN_OR_EQUAL, DATE, 10))).as("one end").isEmpty();
        assertThat(conjunctsOf(compare(EQUAL, DAY, 10), compare(LESS_THAN, DATE, 11))).as("a value").isEmpty();
        for (RowExpression needed : List.of(between(DATE, 11, 20), compare(GREATER_THAN, DATE, 10), between(WEEK, 10, 20), compare(EQUAL, DATE,
                11))) {
            assertThat(conjunctsOf(between(DAY, 10, 20), needed)).containsExactly(needed);
        }
        assertThat(conjunctsOf(between(VALUE, 10, 20), between(DATE, 10, 20))).as("another column of the fact").hasSize(1);
        assertThat(conjunctsOf(compare(EQUAL, DAY, 10), compare(EQUAL, DATE, 10))).as("no range").hasSize(1);
    }

    @Test
    void partitionsThatWereChosenImplyARange()
    {
        ColumnHandle column = fact.getAssignments().get(DAY);
        Domain days = Domain.create(ValueSet.ofRanges(Range.range(BIGINT, 10L, true, 20L, true)), true);
        TableScanNode partitions = scan(fact.getAssignments(), TupleDomain.withColumnDomains(Map.of(column, days)));
        assertThat(conjuncts(byDay(INNER, partitions, filter(calendar, between(DATE, 10, 20))))).isEmpty();
        assertThat(conjuncts(byDay(INNER, partitions, filter(calendar, between(DATE, 10, 19))))).hasSize(1);
        assertThat(conjuncts(byDay(INNER, fact, filter(calendar, between(DATE, 10, 20))))).hasSize(1);
        // the engine lists the values of partitions
        TableScanNode two = scan(fact.getAssignments(), TupleDomain.withColumnDomains(Map.of(
                column, Domain.create(ValueSet.of(BIGINT, 10L, 12L), false))));
        RowExpression in = specialForm(IN, BOOLEAN, DATE, constant(10L, BIGINT), constant(12L, BIGINT));
        assertThat(conjuncts(byDay(INNER, two, filter(calendar, in)))).isEmpty();
        assertThat(conjuncts(byDay(INNER, filter(fact, specialForm(IN, BOOLEAN, DAY, constant(10L, BIGINT), constant(12L, BIGINT))), filter(calendar,
                in))))
                .as("days of rows").hasSize(1);
    }

    @Test
    void rowsOfASemiJoinStay()
    {
        VariableReferenceExpression flag = variable("flag", BOOLEAN);
        PlanNode semi = new SemiJoinNode(
                Optional.empty(), id(), filter(fact, between(DAY, 10, 20)), filter(calendar, between(DATE, 10, 20)), DAY, DATE, flag, Optional
                        .empty(),
                Optional.empty(), Optional.empty(), Map.of());
        assertThat(conjuncts(semi)).hasSize(1);
    }

    @Test
    void whatMayFailForOtherRowsIsNotComputedForThem()
    {
        VariableReferenceExpression quotient = variable("quotient", BIGINT);
        RowExpression divided = operator(DIVIDE, BIGINT, WEEK, DATE);
        PlanNode days = filter(fact, between(DAY, 10, 20));
        PlanNode dates = filter(calendar, between(DATE, 10, 20));
        assertThat(conjunctsOf(between(DAY, 10, 20), and(between(DATE, 10, 20), operator(EQUAL, BOOLEAN, divided, constant(0L, BIGINT))))).hasSize(2);
        PlanNode projected = project(dates, Map.of(DATE, DATE, quotient, divided));
        assertThat(conjuncts(byDay(INNER, days, projected))).as("in a projection").hasSize(1);
        PlanNode dimension = join(INNER, dates, weeks, List.of(new EquiJoinClause(WEEK, ID)), Optional.empty());
        PlanNode computed = project(dimension, Map.of(DATE, DATE, quotient, divided));
        assertThat(conjuncts(byDay(INNER, days, computed))).as("after a join of the dimension").hasSize(1);
        assertThat(conjuncts(byDay(INNER, days, dimension))).as("nothing to compute").isEmpty();
    }

    @Test
    void groupsOfOtherRowsAreNotComputed()
    {
        VariableReferenceExpression count = variable("count", BIGINT);
        PlanNode groups = complete(filter(calendar, between(DATE, 10, 20)), List.of(DATE), Map.of(count, aggregation(call("sum", BIGINT, WEEK))));
        assertThat(conjuncts(byDay(LEFT, filter(fact, between(DAY, 10, 20)), groups))).hasSize(1);
    }

    @Test
    void keysAreFollowedThroughJoinsAndProjections()
    {
        VariableReferenceExpression renamed = variable("renamed", BIGINT);
        VariableReferenceExpression sum = variable("sum", BIGINT);
        PlanNode days = project(filter(fact, between(DAY, 10, 20)), Map.of(renamed, DAY, sum, operator(ADD, BIGINT, DAY, VALUE)));
        PlanNode dates = filter(calendar, between(DATE, 10, 20));
        PlanNode ids = filter(weeks, between(ID, 10, 20));
        PlanNode first = join(INNER, days, dates, List.of(new EquiJoinClause(renamed, DATE)), Optional.empty());
        assertThat(conjuncts(first)).isEmpty();
        assertThat(conjuncts(join(INNER, days, dates, List.of(new EquiJoinClause(sum, DATE)), Optional.empty()))).as("a computed key").hasSize(1);
        // the day of the fact, the date of the calendar, the number of the week
        PlanNode both = join(INNER, first, ids, List.of(new EquiJoinClause(DATE, ID)), Optional.empty());
        assertThat(without(both).inputs()).extracting(input -> input.leaf().conjuncts().size()).containsExactly(1, 0, 0);
        PlanNode snowflake = join(LEFT, days, join(LEFT, dates, ids, List.of(new EquiJoinClause(DATE, ID)), Optional.empty()),
                List.of(new EquiJoinClause(renamed, DATE)), Optional.empty());
        assertThat(without(snowflake).inputs()).extracting(input -> input.leaf().conjuncts().size()).containsExactly(1, 0, 0);
        PlanNode outer = join(LEFT, days, dates, List.of(new EquiJoinClause(renamed, DATE)), Optional.empty());
        PlanNode afterOuter = join(LEFT, outer, ids, List.of(new EquiJoinClause(DATE, ID)), Optional.empty());
        assertThat(without(afterOuter).inputs()).as("a date that may be NULL is not followed").extracting(input -> input.leaf().conjuncts().size())
                .containsExactly(1, 0, 1);
    }

    private List<RowExpression> conjunctsOf(RowExpression ofFact, RowExpression ofCalendar)
    {
        return conjuncts(byDay(INNER, filter(fact, ofFact), filter(calendar, ofCalendar)));
    }

    private static PlanNode byDay(JoinType type, PlanNode fact, PlanNode calendar)
    {
        return join(type, fact, calendar, List.of(new EquiJoinClause(DAY, DATE)), Optional.empty());
    }

    private List<RowExpression> conjuncts(PlanNode join)
    {
        return without(join).inputs().get(1).leaf().conjuncts();
    }

    private JoinTree without(PlanNode join)
    {
        return IMPLIED.without(read(join), scan -> true, TestingConnectorSession.SESSION);
    }

    private JoinTree read(PlanNode join)
    {
        return new JoinReader(READER).read(join, scan -> scan.getAssignments().containsKey(DAY) ? 2 : 1).tree().orElseThrow();
    }

    private static RowExpression between(VariableReferenceExpression variable, long from, long to)
    {
        return operator(BETWEEN, BOOLEAN, variable, constant(from, BIGINT), constant(to, BIGINT));
    }

    private static RowExpression compare(OperatorType operator, VariableReferenceExpression variable, long value)
    {
        return operator(operator, BOOLEAN, variable, constant(value, BIGINT));
    }
}
