// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.eyrie.fragment.leaf.Leaf;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * A small input of joins, which each worker reads as a whole.
 *
 * @param layout the layout by which its splits are read: with the leaf, unless the leaf only reads columns
 * @param bare the leaf if it only reads columns
 * @param splits all splits, when the query was planned
 */
public record DimensionHandle(
        @JsonProperty("layout") EyrieLayoutHandle layout,
        @JsonProperty("bare") List<LeafHandle> bare,
        @JsonProperty("splits") List<EyrieSplit> splits)
{
    @JsonCreator
    public DimensionHandle
    {
        requireNonNull(layout, "layout is null");
        bare = List.copyOf(bare);
        splits = List.copyOf(splits);
    }

    /** Returns the handle of a leaf over splits. */
    public static DimensionHandle of(EyrieLayoutHandle layout, Leaf leaf, List<EyrieSplit> splits)
    {
        LeafHandle handle = LeafHandle.of(leaf, layout.getDataColumns());
        return isBare(leaf)
                ? new DimensionHandle(layout, List.of(handle), splits)
                : new DimensionHandle(EyrieLayoutHandle.of(layout, handle, layout.getControl()), List.of(), splits);
    }

    private static boolean isBare(Leaf leaf)
    {
        return leaf.conjuncts().isEmpty()
                && leaf.projections().stream().allMatch(output -> output.expression() instanceof VariableReferenceExpression variable
                        && leaf.columns().containsKey(variable))
                && leaf.projections().stream().map(Leaf.Projection::expression).distinct().count() == leaf.projections().size();
    }

    public Leaf leaf()
    {
        return layout.leaf().orElseGet(() -> bare.get(0).leaf(layout.getDataColumns()));
    }

    /** Returns the columns that the scan of a split returns, in the order of the leaf's outputs. */
    public List<ColumnHandle> columns()
    {
        Leaf leaf = leaf();
        return bare.isEmpty()
                ? LeafColumns.outputs(leaf)
                : leaf.projections().stream().map(output -> requireNonNull(leaf.columns().get((VariableReferenceExpression) output.expression())))
                        .toList();
    }
}
