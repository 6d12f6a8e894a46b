package io.eyrie.presto.footer;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.RuntimeUnit;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterListener;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;

import static java.util.Objects.requireNonNull;

/** Counts into the statistics of the query, and into the tables of the schema {@code cache}. */
public final class FooterRuntimeStats
        implements FooterListener
{
    private final RuntimeStats stats;
    private final Ledger.OpenedFile file;
    private final Account account;
    private final boolean keep;

    /** @param keep whether this node keeps what it loads of the file */
    public FooterRuntimeStats(RuntimeStats stats, Ledger.OpenedFile file, boolean keep)
    {
        this.file = requireNonNull(file, "file is null");
        this.account = file.account(CacheLayer.FOOTER);
        this.keep = keep;
        this.stats = requireNonNull(stats, "stats is null");
    }

    @Override
    public void onHits(FooterKind kind, int count)
    {
        account.hits(count, 0);
        stats.addMetricValue("eyrieFooterHits", RuntimeUnit.NONE, count);
    }

    @Override
    public void onLoad(FooterKind kind, long nanos)
    {
        account.misses(reason(kind), 1, 0);
        account.load(0, nanos);
        stats.addMetricValue("eyrieFooterLoads", RuntimeUnit.NONE, 1);
        stats.addMetricValue("eyrieFooterLoadTimeNanos", RuntimeUnit.NANO, nanos);
    }

    private MissReason reason(FooterKind kind)
    {
        if (!keep) {
            return MissReason.NOT_PREFERRED_NODE;
        }
        // the others are many in a file
        boolean oneAFile = kind == FooterKind.ORC_FILE_TAIL || kind == FooterKind.PARQUET_FOOTER;
        return oneAFile && file.wasLoaded(kind) ? MissReason.EVICTED : MissReason.NEVER_SEEN;
    }
}
