// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.spi.plan.EquiJoinClause;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

import static java.util.stream.Collectors.toUnmodifiableSet;

/**
 * The rows of an input after some stages.
 *
 * @param input the index of the input whose rows are read
 * @param variables the variables of the input's rows
 */
public record JoinRows(
        @JsonProperty("input") int input,
        @JsonProperty("variables") List<VariableReferenceExpression> variables,
        @JsonProperty("stages") List<JoinStage> stages)
{
    @JsonCreator
    public JoinRows
    {
        variables = List.copyOf(variables);
        stages = List.copyOf(stages);
    }

    /** Returns all inputs below an aggregation. */
    public Set<Integer> groupedInputs()
    {
        return inputs(stages.stream().anyMatch(JoinStage::isGroup)).collect(toUnmodifiableSet());
    }

    private Stream<Integer> inputs(boolean grouped)
    {
        Stream<Integer> below = stages.stream()
                .flatMap(stage -> stage.build().stream())
                .flatMap(build -> build.inputs(grouped || build.stages.stream().anyMatch(JoinStage::isGroup)));
        return grouped ? Stream.concat(Stream.of(input), below) : below;
    }

    /** Returns the index of the grouping key whose values an output has; empty if there is none. */
    public OptionalInt groupKey(VariableReferenceExpression output)
    {
        VariableReferenceExpression variable = output;
        for (int i = stages.size() - 1; i >= 0; i--) {
            JoinStage stage = stages.get(i);
            int place = stage.outputs().indexOf(variable);
            if (stage.isGroup()) {
                return place < stage.keyCount() ? OptionalInt.of(place) : OptionalInt.empty();
            }
            if (stage.isChain()) {
                if (!(stage.expressions().get(place) instanceof VariableReferenceExpression source)) {
                    return OptionalInt.empty();
                }
                variable = source;
            }
            else if (!outputs(i).contains(variable)) {
                // of another build side, or the flag of a semi-join
                return OptionalInt.empty();
            }
        }
        return OptionalInt.empty();
    }

    /** Returns pairs of variables that have the same values in all rows that have both. */
    public Stream<EquiJoinClause> equalities()
    {
        return stages.stream().flatMap(stage -> Stream.concat(stage.equalities(), stage.build().stream().flatMap(JoinRows::equalities)));
    }

    /** Returns the variables after the last stage. */
    public List<VariableReferenceExpression> outputs()
    {
        return outputs(stages.size());
    }

    /** Returns the variables after some stages. */
    public List<VariableReferenceExpression> outputs(int stageCount)
    {
        return stageCount == 0 ? variables : stages.get(stageCount - 1).outputs();
    }
}
