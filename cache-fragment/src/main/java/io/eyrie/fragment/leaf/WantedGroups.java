// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.Page;

import java.util.function.IntPredicate;

/** The groups of a build side that may match some rows of the probe side. Used by one thread. */
@FunctionalInterface
public interface WantedGroups
{
    /**
     * Returns which rows may belong to such a group.
     *
     * @param keys the grouping keys of the rows, in the order of the aggregation's keys
     */
    IntPredicate among(Page keys);
}
