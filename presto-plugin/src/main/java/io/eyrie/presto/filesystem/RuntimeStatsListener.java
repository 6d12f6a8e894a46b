// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.common.RuntimeStats;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.MissCause;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.ledger.WorkKind;

import static com.facebook.presto.common.RuntimeUnit.BYTE;
import static com.facebook.presto.common.RuntimeUnit.NANO;
import static com.facebook.presto.common.RuntimeUnit.NONE;
import static java.util.Objects.requireNonNull;

/** Counts reads in the query's statistics, which {@code EXPLAIN ANALYZE} and the query's JSON show, and in the tables of the schema {@code cache}. */
final class RuntimeStatsListener
        implements ReadListener
{
    private final RuntimeStats stats;
    private final Account account;
    private final CacheMode mode;

    /** @param mode the session's mode, regardless of whether this node caches the data */
    RuntimeStatsListener(RuntimeStats stats, Account account, CacheMode mode)
    {
        this.mode = requireNonNull(mode, "mode is null");
        this.account = requireNonNull(account, "account is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    @Override
    public void onCacheRead(int pages, long bytes, long nanos)
    {
        account.hits(pages, bytes);
        stats.addMetricValue("eyrieDataCacheReads", NONE, 1);
        stats.addMetricValue("eyrieDataCacheReadBytes", BYTE, bytes);
        stats.addMetricValue("eyrieDataCacheReadTimeNanos", NANO, nanos);
    }

    @Override
    public void onMiss(MissCause cause, long bytes)
    {
        if (cause == MissCause.NOT_KEPT_HERE && mode == CacheMode.READ_ONLY) {
            account.misses(MissReason.READ_ONLY, 1, bytes);
            return;
        }
        account.miss(cause, bytes);
    }

    @Override
    public void onRemoteRead(long bytes, long nanos)
    {
        account.load(bytes, nanos);
        account.done(WorkKind.GET_REQUESTS, 1);
        account.done(WorkKind.BYTES, bytes);
        stats.addMetricValue("eyrieDataRemoteReads", NONE, 1);
        stats.addMetricValue("eyrieDataRemoteReadBytes", BYTE, bytes);
        stats.addMetricValue("eyrieDataRemoteReadTimeNanos", NANO, nanos);
    }
}
