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

    @Managed(description = "entries looked up, of all that the cache's scope holds")
    public long getLookups()
    {
        return metastore.counters().lookups();
    }

    @Managed(description = "lookups answered with what is kept")
    public long getHits()
    {
        return metastore.counters().entries().hits();
    }

    @Managed(description = "lookups answered by the metastore and kept, unless it changed meanwhile")
    public long getMisses()
    {
        return metastore.counters().entries().misses();
    }

    @Managed(description = "lookups answered by the metastore because nothing vouched for cached metadata, or because their predicate has more than 1,000 values")
    public long getBypasses()
    {
        return metastore.counters().bypasses();
    }

    @Managed(description = "misses answered by another query's load")
    public long getSharedLoads()
    {
        return metastore.counters().entries().sharedLoads();
    }

    @Managed(description = "values not kept, because what they are about changed while they were loaded")
    public long getUnkeptLoads()
    {
        return metastore.counters().entries().unkeptLoads();
    }

    @Managed(description = "entries dropped to make room or because of their age")
    public long getEvictions()
    {
        return metastore.counters().entries().evictions();
    }

    @Managed(description = "entries kept")
    public long getCurrentEntries()
    {
        return metastore.counters().entries().currentEntries();
    }

    @Managed(description = "what the entries take, by estimate")
    public long getCurrentBytes()
    {
        return metastore.counters().entries().currentBytes();
    }

    @Managed(description = "times that the notification log was asked for its current number")
    public long getLogReadings()
    {
        return metastore.counters().log().readings();
    }

    @Managed(description = "queries that shared another's reading of the log")
    public long getLogSharedReadings()
    {
        return metastore.counters().log().sharedReadings();
    }

    @Managed(description = "events of the log applied")
    public long getLogEvents()
    {
        return metastore.counters().log().events();
    }

    @Managed(description = "events that were too long to be parsed, so that everything about their table was forgotten")
    public long getLogLongEvents()
    {
        return metastore.counters().log().longEvents();
    }

    @Managed(description = "times that everything was forgotten and the log followed anew, the first time included")
    public long getLogRestarts()
    {
        return metastore.counters().log().restarts();
    }

    @Managed(description = "readings of the log that failed, after which what is kept answered nevertheless, by cache.metastore.grace")
    public long getLogGraceReadings()
    {
        return metastore.counters().log().graceReadings();
    }

    @Managed(description = "readings of the log that failed")
    public long getLogFailures()
    {
        return metastore.counters().log().failures();
    }
}
