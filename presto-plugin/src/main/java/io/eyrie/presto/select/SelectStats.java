// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.common.RuntimeStats;
import org.weakref.jmx.Managed;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

import static com.facebook.presto.common.RuntimeUnit.NONE;

/**
 * Counts the splits for which S3 Select was enabled, by how they were read, for the catalog and in each query's runtime statistics. Its MBean is
 * {@code io.eyrie.presto.select:type=SelectStats,name=<catalog>}. Thread-safe.
 */
public final class SelectStats
{
    private static final String PREFIX = "eyrieSelect";

    private final LongAdder pushdowns = new LongAdder();
    private final LongAdder plainReads = new LongAdder();
    private final LongAdder refusals = new LongAdder();

    void pushdown(RuntimeStats stats)
    {
        pushdowns.increment();
        stats.addMetricValue(PREFIX + "Pushdowns", NONE, 1);
    }

    void plain(RuntimeStats stats, PlainReason reason)
    {
        plainReads.increment();
        if (reason == PlainReason.REFUSED) {
            refusals.increment();
        }
        StringBuilder name = new StringBuilder(PREFIX).append("Plain");
        for (String word : reason.name().split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        stats.addMetricValue(name.toString(), NONE, 1);
    }

    @Managed(description = "splits read with S3 Select")
    public long getPushdowns()
    {
        return pushdowns.sum();
    }

    @Managed(description = "splits read without S3 Select although it was enabled")
    public long getPlainReads()
    {
        return plainReads.sum();
    }

    @Managed(description = "splits read without S3 Select because the store refused the request or failed before the first row")
    public long getRefusals()
    {
        return refusals.sum();
    }
}
