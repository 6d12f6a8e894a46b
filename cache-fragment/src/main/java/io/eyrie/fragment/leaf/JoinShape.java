// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;

import java.util.List;
import java.util.Optional;

/**
 * An equi-join of pages by channels. Its output has the probe side's output channels, followed by the build side's, or by the flag of a semi-join.
 *
 * @param buildOutputs empty for a semi-join
 * @param condition of a left join, what a pair of rows must satisfy besides equality
 */
public record JoinShape(
        JoinKind kind,
        List<Type> probe,
        List<Integer> probeKeys,
        List<Integer> probeOutputs,
        List<Type> build,
        List<Integer> buildKeys,
        List<Integer> buildOutputs,
        Optional<PairCondition> condition)
{
    public JoinShape
    {
        probe = List.copyOf(probe);
        probeKeys = List.copyOf(probeKeys);
        probeOutputs = List.copyOf(probeOutputs);
        build = List.copyOf(build);
        buildKeys = List.copyOf(buildKeys);
        buildOutputs = List.copyOf(buildOutputs);
    }

    /**
     * Conditions on a row of the probe side and a row of the build side.
     *
     * @param probe the variables of the probe side
     * @param build the variables of the build side
     */
    public record PairCondition(List<RowExpression> conjuncts, List<VariableReferenceExpression> probe, List<VariableReferenceExpression> build)
    {
        public PairCondition
        {
            conjuncts = List.copyOf(conjuncts);
            probe = List.copyOf(probe);
            build = List.copyOf(build);
        }
    }
}
