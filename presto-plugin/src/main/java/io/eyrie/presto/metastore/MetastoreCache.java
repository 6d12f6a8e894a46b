// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.google.inject.Inject;
import io.eyrie.metastore.VersionedHiveMetastore;
import org.weakref.jmx.Managed;

import static java.util.Objects.requireNonNull;

/**
 * The counters of the metastore cache as an MBean, {@code io.eyrie.presto.metastore:type=MetastoreCache,name=<catalog>}.
 * {@link io.eyrie.metastore.MetastoreCacheCounters} defines them. At rest, hits, misses and bypasses add up to the lookups.
 */
public final class MetastoreCache
{
    private final VersionedHiveMetastore metastore;

    @Inject
    public MetastoreCache(VersionedHiveMetastore metastore)
    {
        this.metastore = requireNonNull(metastore, "metastore is null");
    }

    @Managed(description = "entries looked up, of the kinds within the cache's scope")
    public long getLookups()
    {
        return metastore.counters().lookups();
    }

    @Managed(description = "lookups answered from the cache")
    public long getHits()
    {
        return metastore.counters().entries().hits();
    }

    @Managed(description = "lookups answered by the metastore, and cached unless the metadata changed meanwhile")
    public long getMisses()
    {
        return metastore.counters().entries().misses();
    }

    @Managed(description = "lookups answered by the metastore because nothing validated cached metadata or their predicate has over 1,000 values")
    public long getBypasses()
    {
        return metastore.counters().bypasses();
    }

    @Managed(description = "misses answered by another query's load")
    public long getSharedLoads()
    {
        return metastore.counters().entries().sharedLoads();
    }

    @Managed(description = "values not cached, because their subject changed during the load or has entries of too many users")
    public long getUnkeptLoads()
    {
        return metastore.counters().entries().unkeptLoads();
    }

    @Managed(description = "times that entries were dropped because a table had too many changed partitions or lists of partition names")
    public long getBoundDrops()
    {
        return metastore.counters().entries().boundDrops();
    }

    @Managed(description = "entries dropped to make room or because of their age")
    public long getEvictions()
    {
        return metastore.counters().entries().evictions();
    }

    @Managed(description = "cached entries")
    public long getCurrentEntries()
    {
        return metastore.counters().entries().currentEntries();
    }

    @Managed(description = "estimated memory of the entries")
    public long getCurrentBytes()
    {
        return metastore.counters().entries().currentBytes();
    }

    @Managed(description = "attempts to read the current event number of the notification log")
    public long getLogReadings()
    {
        return metastore.counters().log().readings();
    }

    @Managed(description = "queries that shared another query's reading of the log")
    public long getLogSharedReadings()
    {
        return metastore.counters().log().sharedReadings();
    }

    @Managed(description = "events of the log applied")
    public long getLogEvents()
    {
        return metastore.counters().log().events();
    }

    @Managed(description = "events that were too long to be parsed, so that all cached metadata of their table was dropped")
    public long getLogLongEvents()
    {
        return metastore.counters().log().longEvents();
    }

    @Managed(description = "times that all cached metadata was dropped and the log followed from its end, including the first time")
    public long getLogRestarts()
    {
        return metastore.counters().log().restarts();
    }

    @Managed(description = "failed readings of the log after which cached metadata still answered, within cache.metastore.grace")
    public long getLogGraceReadings()
    {
        return metastore.counters().log().graceReadings();
    }

    @Managed(description = "failed readings of the log")
    public long getLogFailures()
    {
        return metastore.counters().log().failures();
    }
}
