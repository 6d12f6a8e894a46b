// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import io.eyrie.fragment.leaf.Leaf;

import java.util.List;

/**
 * An aggregation over the groups of a finer result, with the same groups and states as an aggregation of the rows.
 *
 * @param leaf filters the finer groups, computes its keys from theirs, and merges their states: the only argument of each aggregate is a state
 * @param columns the columns of the finer result that the leaf's columns read, in their order
 * @param mostRows how many rows the finer result may have been computed from; if they were more, a merged state may differ
 */
public record CoarserLeaf(Leaf leaf, List<OutputId> columns, long mostRows)
{
    public CoarserLeaf
    {
        columns = List.copyOf(columns);
    }
}
