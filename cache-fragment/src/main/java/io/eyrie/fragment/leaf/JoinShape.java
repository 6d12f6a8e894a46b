// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.type.Type;

import java.util.List;

/**
 * An equi-join of pages by channels. Its output has the probe side's output channels, followed by the build side's, or by the flag of a semi-join.
 *
 * @param buildOutputs empty for a semi-join
 */
public record JoinShape(
        JoinKind kind,
        List<Type> probe,
        List<Integer> probeKeys,
        List<Integer> probeOutputs,
        List<Type> build,
        List<Integer> buildKeys,
        List<Integer> buildOutputs)
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
}
