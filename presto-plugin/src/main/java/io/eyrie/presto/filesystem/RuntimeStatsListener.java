package io.eyrie.presto.filesystem;

import com.facebook.presto.common.RuntimeStats;
import io.eyrie.cache.page.ReadListener;

import static com.facebook.presto.common.RuntimeUnit.BYTE;
import static com.facebook.presto.common.RuntimeUnit.NANO;
import static com.facebook.presto.common.RuntimeUnit.NONE;
import static java.util.Objects.requireNonNull;

/** Counts into the statistics of the query, which {@code EXPLAIN ANALYZE} and the query's JSON show. */
final class RuntimeStatsListener
        implements ReadListener
{
    private final RuntimeStats stats;

    RuntimeStatsListener(RuntimeStats stats)
    {
        this.stats = requireNonNull(stats, "stats is null");
    }

    @Override
    public void onCacheRead(long bytes, long nanos)
    {
        stats.addMetricValue("eyrieDataCacheReads", NONE, 1);
        stats.addMetricValue("eyrieDataCacheReadBytes", BYTE, bytes);
        stats.addMetricValue("eyrieDataCacheReadTimeNanos", NANO, nanos);
    }

    @Override
    public void onRemoteRead(long bytes, long nanos)
    {
        stats.addMetricValue("eyrieDataRemoteReads", NONE, 1);
        stats.addMetricValue("eyrieDataRemoteReadBytes", BYTE, bytes);
        stats.addMetricValue("eyrieDataRemoteReadTimeNanos", NANO, nanos);
    }
}
