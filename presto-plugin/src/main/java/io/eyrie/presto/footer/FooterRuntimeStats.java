package io.eyrie.presto.footer;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.RuntimeUnit;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterListener;

import static java.util.Objects.requireNonNull;

/** Counts into the statistics of the query. */
public final class FooterRuntimeStats
        implements FooterListener
{
    private final RuntimeStats stats;

    public FooterRuntimeStats(RuntimeStats stats)
    {
        this.stats = requireNonNull(stats, "stats is null");
    }

    @Override
    public void onHits(FooterKind kind, int count)
    {
        stats.addMetricValue("eyrieFooterHits", RuntimeUnit.NONE, count);
    }

    @Override
    public void onLoad(FooterKind kind, long nanos)
    {
        stats.addMetricValue("eyrieFooterLoads", RuntimeUnit.NONE, 1);
        stats.addMetricValue("eyrieFooterLoadTimeNanos", RuntimeUnit.NANO, nanos);
    }
}
