// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.common.RuntimeStats;
import io.eyrie.cache.metric.Metric;
import io.eyrie.cache.metric.MetricsMBean;

import java.util.concurrent.atomic.LongAdder;

import static com.facebook.presto.common.RuntimeUnit.NONE;

/**
 * Counts the splits for which S3 Select was enabled, by how they were read, for the catalog and in each query's runtime statistics. Thread-safe.
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
        stats.addMetricValue(MetricsMBean.join(PREFIX + "Plain", reason), NONE, 1);
    }

    @Metric("splits read with S3 Select")
    public long pushdowns()
    {
        return pushdowns.sum();
    }

    @Metric("splits read without S3 Select although it was enabled")
    public long plainReads()
    {
        return plainReads.sum();
    }

    @Metric("splits read without S3 Select because the store refused the request or failed before the first row")
    public long refusals()
    {
        return refusals.sum();
    }
}
