// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.spi.plan.EquiJoinClause;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.eyrie.fragment.leaf.JoinKind;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One step that turns rows into other rows: a join, an aggregation, or a filter followed by a projection. It consists of lists, in which expressions keep
 * their type as JSON.
 *
 * @param join the name of the {@link JoinKind}, or {@value #GROUP} for an aggregation; empty for a filter and projection
 * @param build the build side, if it is a join
 * @param probeKeys for each clause of the join, the variable of the probe side
 * @param buildKeys likewise, of the build side
 * @param conjuncts the conditions on a row; of a left join, further conditions on a pair of rows
 * @param outputs the variables after the stage; of a join, those of the probe side precede those of the build side, and the flag of a semi-join is last;
 *         of an aggregation, the grouping keys precede the aggregates
 * @param expressions the values of the outputs, without a join; of an aggregation, the keys' variables precede the calls of the aggregates
 */
public record JoinStage(
        @JsonProperty("join") String join,
        @JsonProperty("build") List<JoinRows> build,
        @JsonProperty("probeKeys") List<VariableReferenceExpression> probeKeys,
        @JsonProperty("buildKeys") List<VariableReferenceExpression> buildKeys,
        @JsonProperty("conjuncts") List<RowExpression> conjuncts,
        @JsonProperty("outputs") List<VariableReferenceExpression> outputs,
        @JsonProperty("expressions") List<RowExpression> expressions)
{
    private static final String GROUP = "GROUP";

    @JsonCreator
    public JoinStage
    {
        build = List.copyOf(build);
        probeKeys = List.copyOf(probeKeys);
        buildKeys = List.copyOf(buildKeys);
        conjuncts = List.copyOf(conjuncts);
        outputs = List.copyOf(outputs);
        expressions = List.copyOf(expressions);
    }

    static JoinStage join(JoinKind kind, JoinRows build, List<EquiJoinClause> clauses, List<RowExpression> conjuncts,
            List<VariableReferenceExpression> outputs)
    {
        return new JoinStage(
                kind.name(),
                List.of(build),
                clauses.stream().map(EquiJoinClause::getLeft).toList(),
                clauses.stream().map(EquiJoinClause::getRight).toList(),
                conjuncts,
                outputs,
                List.of());
    }

    static JoinStage group(List<VariableReferenceExpression> keys, List<VariableReferenceExpression> aggregates, List<CallExpression> calls)
    {
        return new JoinStage(
                GROUP,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Stream.concat(keys.stream(), aggregates.stream()).toList(),
                Stream.<RowExpression>concat(keys.stream(), calls.stream()).toList());
    }

    static JoinStage chain(List<RowExpression> conjuncts, List<VariableReferenceExpression> outputs, List<RowExpression> expressions)
    {
        return new JoinStage("", List.of(), List.of(), List.of(), conjuncts, outputs, expressions);
    }

    /** Returns the kind of the join; empty if the stage is none. */
    public Optional<JoinKind> kind()
    {
        return join.isEmpty() || isGroup() ? Optional.empty() : Optional.of(JoinKind.valueOf(join));
    }

    /** Whether the stage aggregates all rows of a build side. */
    public boolean isGroup()
    {
        return join.equals(GROUP);
    }

    /** Whether the stage is a filter followed by a projection. */
    boolean isChain()
    {
        return join.isEmpty();
    }

    /** Returns the keys of a join, or the outputs that have the values of another variable. */
    Stream<EquiJoinClause> equalities()
    {
        return Stream.concat(
                IntStream.range(0, probeKeys.size()).mapToObj(i -> new EquiJoinClause(probeKeys.get(i), buildKeys.get(i))),
                IntStream.range(0, expressions.size()).filter(i -> expressions.get(i) instanceof VariableReferenceExpression)
                        .mapToObj(i -> new EquiJoinClause(outputs.get(i), (VariableReferenceExpression) expressions.get(i))));
    }

    /** Returns how many of the outputs of an aggregation are grouping keys. */
    public int keyCount()
    {
        return (int) expressions.stream().filter(VariableReferenceExpression.class::isInstance).count();
    }
}
