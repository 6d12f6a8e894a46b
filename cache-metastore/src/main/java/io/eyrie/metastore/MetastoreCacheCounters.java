package io.eyrie.metastore;

import io.eyrie.metastore.entry.EntryStats;
import io.eyrie.metastore.log.FollowerStats;

import static java.util.Objects.requireNonNull;

/**
 * Counters of a {@link VersionedHiveMetastore}, at one moment; at rest {@code entries.hits() + entries.misses() + bypasses == lookups()}.
 *
 * @param entries of the lookups that could be answered from memory
 * @param bypasses lookups that were not, because nothing vouched for what is kept or it has no version
 * @param log of the metastore's notification log
 */
public record MetastoreCacheCounters(EntryStats entries, long bypasses, FollowerStats log)
{
    public MetastoreCacheCounters
    {
        requireNonNull(entries, "entries is null");
        requireNonNull(log, "log is null");
    }

    /** All lookups of what is kept in the cache's scope. */
    public long lookups()
    {
        return entries.lookups() + bypasses;
    }
}
