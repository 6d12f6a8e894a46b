package io.eyrie.presto.fragment;

import com.facebook.presto.common.RuntimeStats;
import io.eyrie.fragment.leaf.Refusal;
import io.eyrie.fragment.result.StoredResult;

import java.util.Locale;
import java.util.Set;

import static com.facebook.presto.common.RuntimeUnit.BYTE;
import static com.facebook.presto.common.RuntimeUnit.NANO;
import static com.facebook.presto.common.RuntimeUnit.NONE;

/** What a query learns of its leaves, in its runtime statistics. */
final class FragmentRuntimeStats
{
    private static final String PREFIX = "eyrieFragment";

    private FragmentRuntimeStats()
    {}

    /** Why a split of a leaf was computed. */
    enum Miss
    {
        /** There is no result, or nobody could wait for it any longer, or it was dropped before it was read. */
        ABSENT,
        /** This worker keeps nothing of the split. */
        ELSEWHERE,
        /** The leaf holds a constant that follows the clock. */
        CLOCK,
        /** Nothing says for sure which version of the file is meant. */
        VERSION,
        /** Results that are recorded and served held all the memory that they may. */
        MEMORY,
        /** The session's mode serves or keeps none. */
        MODE,
    }

    /** A split was served from a result. */
    static void hit(RuntimeStats stats, StoredResult result)
    {
        stats.addMetricValue(PREFIX + "Hits", NONE, 1);
        stats.addMetricValue(PREFIX + "SavedBytes", BYTE, result.cost().inputBytes());
        stats.addMetricValue(PREFIX + "SavedCpuNanos", NANO, result.cost().cpuNanos());
    }

    /** A split is computed. */
    static void miss(RuntimeStats stats, Miss reason)
    {
        stats.addMetricValue(PREFIX + "Misses", NONE, 1);
        stats.addMetricValue(PREFIX + "Misses" + camelCase(reason.name()), NONE, 1);
    }

    /** A split was not read, as no row of it satisfies the leaf's predicate. */
    static void pruned(RuntimeStats stats)
    {
        stats.addMetricValue(PREFIX + "Pruned", NONE, 1);
    }

    /** A column of a split was read to find its least and largest value. */
    static void rangeScanned(RuntimeStats stats)
    {
        stats.addMetricValue(PREFIX + "RangesScanned", NONE, 1);
    }

    /** A leaf was taken out of the plan, or left as it was for these reasons. */
    static void planned(RuntimeStats stats, Set<Refusal> against)
    {
        stats.addMetricValue(PREFIX + (against.isEmpty() ? "Leaves" : "Refused"), NONE, 1);
        against.forEach(reason -> stats.addMetricValue(PREFIX + "Refused" + camelCase(reason.name()), NONE, 1));
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
