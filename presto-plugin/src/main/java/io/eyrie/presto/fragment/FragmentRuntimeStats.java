// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import io.eyrie.fragment.join.JoinRefusal;
import io.eyrie.fragment.leaf.Refusal;
import io.eyrie.fragment.result.StoredResult;

import java.util.Locale;
import java.util.Set;

import static com.facebook.presto.common.RuntimeUnit.BYTE;
import static com.facebook.presto.common.RuntimeUnit.NANO;
import static com.facebook.presto.common.RuntimeUnit.NONE;

/** Reports the outcomes of a query's leaves in its runtime statistics. */
final class FragmentRuntimeStats
{
    private static final String PREFIX = "eyrieFragment";

    private FragmentRuntimeStats()
    {}

    /** The reason why a leaf was computed for a split. */
    enum LeafMiss
    {
        /** There is no result, a wait for it ended without one, or it was dropped before it was read. */
        ABSENT,
        /** This worker does not cache data of the split. */
        ELSEWHERE,
        /** The leaf has a constant that follows the clock. */
        CLOCK,
        /** The version of the file is not certain. */
        VERSION,
        /** Results being recorded and served held the maximum amount of memory. */
        MEMORY,
        /** The session's mode does not serve results, or does not store them. */
        MODE,
    }

    /** Counts a split that was served from a result. */
    static void hit(RuntimeStats stats, StoredResult result)
    {
        stats.addMetricValue(PREFIX + "Hits", NONE, 1);
        stats.addMetricValue(PREFIX + "SavedBytes", BYTE, result.cost().inputBytes());
        stats.addMetricValue(PREFIX + "SavedCpuNanos", NANO, result.cost().cpuNanos());
    }

    /** Counts a split whose groups were merged from those of a finer result. It also counts as served from a result. */
    static void subsumed(RuntimeStats stats)
    {
        stats.addMetricValue(PREFIX + "Subsumed", NONE, 1);
    }

    /** Counts a split for which the leaf is computed. */
    static void miss(RuntimeStats stats, LeafMiss reason)
    {
        stats.addMetricValue(PREFIX + "Misses", NONE, 1);
        stats.addMetricValue(PREFIX + "Misses" + camelCase(reason.name()), NONE, 1);
    }

    /** Counts a split that was not read because none of its rows satisfies the leaf's predicate. */
    static void pruned(RuntimeStats stats)
    {
        stats.addMetricValue(PREFIX + "Pruned", NONE, 1);
    }

    /** Counts a split that the coordinator dropped for the same reason. */
    static void dropped(RuntimeStats stats)
    {
        pruned(stats);
        stats.addMetricValue(PREFIX + "Dropped", NONE, 1);
    }

    /** Counts a column of a split that was read to find its least and largest value. */
    static void rangeScanned(RuntimeStats stats)
    {
        stats.addMetricValue(PREFIX + "RangesScanned", NONE, 1);
    }

    /** Counts a leaf that was taken out of the plan, or that stayed in the plan for these reasons. */
    static void planned(RuntimeStats stats, Set<Refusal> against)
    {
        stats.addMetricValue(PREFIX + (against.isEmpty() ? "Leaves" : "Refused"), NONE, 1);
        against.forEach(reason -> stats.addMetricValue(PREFIX + "Refused" + camelCase(reason.name()), NONE, 1));
    }

    /** Counts joins that were replaced in the plan, or that stayed in the plan for these reasons. */
    static void joined(RuntimeStats stats, Set<JoinRefusal> against)
    {
        stats.addMetricValue(PREFIX + (against.isEmpty() ? "Joins" : "JoinsRefused"), NONE, 1);
        against.forEach(reason -> stats.addMetricValue(PREFIX + "JoinsRefused" + camelCase(reason.name()), NONE, 1));
    }

    /** Counts a build side that exceeds the memory for build sides, so that each split reads it for itself. */
    static void streamed(RuntimeStats stats)
    {
        stats.addMetricValue(PREFIX + "JoinsStreamed", NONE, 1);
    }

    private static String camelCase(String constant)
    {
        StringBuilder name = new StringBuilder();
        for (String word : constant.split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}
