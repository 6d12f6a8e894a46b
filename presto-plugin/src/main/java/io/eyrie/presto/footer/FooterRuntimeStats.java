// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.footer;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.RuntimeUnit;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterListener;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;

import java.util.concurrent.atomic.AtomicInteger;

import static java.util.Objects.requireNonNull;

/** Counts footer lookups in the query's statistics, and in the tables of the schema {@code cache}. */
public final class FooterRuntimeStats
        implements FooterListener
{
    private final RuntimeStats stats;
    private final Ledger.OpenedFile file;
    private final Account account;
    private final boolean keep;
    private final CacheMode mode;
    // reset by the thread that loads next
    private final AtomicInteger thereInDryRun = new AtomicInteger();

    /**
     * Creates the listener of one file that a query opened.
     *
     * @param keep whether this node caches the footers that it loads of the file
     * @param mode the session's mode, regardless of whether this node caches them
     */
    public FooterRuntimeStats(RuntimeStats stats, Ledger.OpenedFile file, boolean keep, CacheMode mode)
    {
        this.mode = requireNonNull(mode, "mode is null");
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
        int there = thereInDryRun.getAndSet(0);
        account.misses(there > 0 ? MissReason.DRY_RUN : reason(kind), Math.max(1, there), 0);
        account.load(0, nanos);
        stats.addMetricValue("eyrieFooterLoads", RuntimeUnit.NONE, 1);
        stats.addMetricValue("eyrieFooterLoadTimeNanos", RuntimeUnit.NANO, nanos);
    }

    @Override
    public void onDryRunHit(FooterKind kind)
    {
        thereInDryRun.incrementAndGet();
    }

    private MissReason reason(FooterKind kind)
    {
        if (!keep) {
            return MissReason.NOT_PREFERRED_NODE;
        }
        if (mode == CacheMode.READ_ONLY) {
            return MissReason.READ_ONLY;
        }
        // a file has many entries of the other kinds
        boolean oneAFile = kind == FooterKind.ORC_FILE_TAIL || kind == FooterKind.PARQUET_FOOTER;
        return oneAFile && file.wasLoaded(kind) ? MissReason.EVICTED : MissReason.NEVER_SEEN;
    }
}
