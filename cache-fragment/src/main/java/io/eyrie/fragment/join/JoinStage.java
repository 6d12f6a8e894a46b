// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.eyrie.fragment.leaf.JoinKind;

import java.util.List;
import java.util.Optional;

/**
 * One step that turns rows into other rows: a join, or a filter followed by a projection. It consists of lists, in which expressions keep their type as
 * JSON.
 *
 * @param join the name of the {@link JoinKind}; empty for a filter and projection
 * @param build the build side, if it is a join
 * @param probeKeys for each clause of the join, the variable of the probe side
 * @param buildKeys likewise, of the build side
 * @param conjuncts the conditions on a row, without a join
 * @param outputs the variables after the stage; of a join, those of the probe side precede those of the build side, and the flag of a semi-join is last
 * @param expressions the values of the outputs, without a join
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

    static JoinStage join(JoinKind kind, JoinRows build, List<VariableReferenceExpression> probeKeys, List<VariableReferenceExpression> buildKeys,
            List<VariableReferenceExpression> outputs)
    {
        return new JoinStage(kind.name(), List.of(build), probeKeys, buildKeys, List.of(), outputs, List.of());
    }

    static JoinStage chain(List<RowExpression> conjuncts, List<VariableReferenceExpression> outputs, List<RowExpression> expressions)
    {
        return new JoinStage("", List.of(), List.of(), List.of(), conjuncts, outputs, expressions);
    }

    /** Returns the kind of the join; empty if the stage filters and projects. */
    public Optional<JoinKind> kind()
    {
        return join.isEmpty() ? Optional.empty() : Optional.of(JoinKind.valueOf(join));
    }
}
