// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionHandle;

import java.util.Iterator;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Compiles leaf fragments with the engine's own functions. The implementation is in the module {@code engine}, which a child of the engine's class
 * loader loads; that loader takes the classes of this package from the plugin's. Implementations are thread-safe.
 */
public interface LeafCompiler
{
    /** Returns a supplier of runs, each over one split. */
    Supplier<LeafRun> compile(Leaf leaf, ConnectorSession session);

    /**
     * Compiles the aggregation of all rows of a build side. A run returns each group of its part once, at the end, with the final values of its
     * aggregates.
     *
     * @param leaf an aggregation; the variables of its aggregates have the final types
     */
    Function<GroupPart, LeafRun> complete(Leaf leaf, ConnectorSession session);

    /**
     * Compiles the merging of partial aggregates. A run returns nothing before it is finished; it then has each group once, with its state.
     *
     * @param leaf an aggregation; the only argument of each aggregate is a state of the aggregate
     */
    Supplier<LeafRun> merge(Leaf leaf, ConnectorSession session);

    /** Whether an aggregate can be split into partial aggregates whose intermediate type is this one. */
    boolean hasIntermediate(FunctionHandle aggregate, Type intermediate);

    /** Whether the engine itself, and not a plugin, implements a function. */
    boolean isOwn(FunctionHandle function);

    /** Whether the engine can split an aggregate into partial aggregates. */
    boolean isDecomposable(FunctionHandle aggregate);

    /** Whether the session's plans compute partial aggregates on the nodes that read tables, whatever the statistics. */
    boolean splitsAggregations(ConnectorSession session);

    /** Returns the memory in bytes that the session's queries may use on all nodes together. */
    long maxTotalMemoryBytes(ConnectorSession session);

    /** Returns an empty build side of a join. */
    JoinBuild build(JoinShape join, ConnectorSession session);

    /**
     * Returns a run that joins the pages of one split without holding the build side in memory: it collects pages of the split, and reads the whole build
     * side for each collection.
     *
     * @param groupKeys if the rows of the build side are groups: for the index of a key of the join, that of the grouping key with the same values
     * @param build reads the build side from its beginning, if its rows are groups, only a part of them; may return {@link LeafRun#NONE_YET}
     * @param batchBytes how much of the split is collected
     */
    LeafRun streamed(JoinShape join, Map<Integer, Integer> groupKeys, Function<GroupPart, Iterator<Page>> build, long batchBytes,
            ConnectorSession session);
}
