// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.join;

import com.facebook.presto.spi.plan.TableScanNode;
import io.eyrie.fragment.leaf.Leaf;

import java.util.List;

/**
 * Joins of one large input, the fact, with small ones, the dimensions. The rows of the fact determine those of the tree.
 *
 * @param inputs the fact, followed by the dimensions
 */
public record JoinTree(List<JoinInput> inputs, JoinRows rows)
{
    public JoinTree
    {
        inputs = List.copyOf(inputs);
    }

    /**
     * One scan with the filters and projections directly above it.
     *
     * @param scan the scan that the leaf was read from
     * @param grouped whether groups of its rows, and not the rows, are a build side
     */
    public record JoinInput(TableScanNode scan, Leaf leaf, boolean grouped)
    {}
}
