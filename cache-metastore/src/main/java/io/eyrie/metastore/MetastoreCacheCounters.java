// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import io.eyrie.cache.metric.Metric;
import io.eyrie.metastore.entry.EntryStats;
import io.eyrie.metastore.entry.StoredStats;
import io.eyrie.metastore.log.FollowerStats;

import static java.util.Objects.requireNonNull;

/**
 * A snapshot of the counters of a {@link VersionedHiveMetastore}. At rest, {@code entries.hits() + entries.misses() + bypasses == lookups()}.
 *
 * @param entries counters of the lookups that used the cache
 */
public record MetastoreCacheCounters(
        EntryStats entries,
        @Metric("lookups answered by the metastore because nothing validated cached metadata or their predicate has over 1,000 values") long bypasses,
        FollowerStats log,
        StoredStats stored)
{
    public MetastoreCacheCounters
    {
        requireNonNull(entries, "entries is null");
        requireNonNull(log, "log is null");
        requireNonNull(stored, "stored is null");
    }

    /** Returns the number of all lookups of values within the cache's scope. */
    @Metric("entries looked up, of the kinds within the cache's scope")
    public long lookups()
    {
        return entries.lookups() + bypasses;
    }
}
