package io.eyrie.presto.footer;

import io.eyrie.footer.FooterCache;
import org.weakref.jmx.Managed;

import static java.util.Objects.requireNonNull;

/** The counters of one kind of footer as MBean attributes. {@link io.eyrie.footer.FooterStats} defines them. */
public final class FooterCounters
{
    private final FooterCache<?> cache;

    FooterCounters(FooterCache<?> cache)
    {
        this.cache = requireNonNull(cache, "cache is null");
    }

    @Managed(description = "entries asked for")
    public long getLookups()
    {
        return cache.stats().lookups();
    }

    @Managed(description = "lookups that found the entry, or another reader loading it")
    public long getHits()
    {
        return cache.stats().hits();
    }

    @Managed(description = "lookups that loaded the entry")
    public long getMisses()
    {
        return cache.stats().misses();
    }

    @Managed(description = "lookups whose load failed; it left nothing")
    public long getLoadFailures()
    {
        return cache.stats().loadFailures();
    }

    @Managed(description = "waits for another reader's load")
    public long getCoalescedWaits()
    {
        return cache.stats().coalescedWaits();
    }

    @Managed(description = "those of them that were given up")
    public long getWaitTimeouts()
    {
        return cache.stats().waitTimeouts();
    }

    @Managed(description = "entries that left for others, or were not used for long")
    public long getEvictions()
    {
        return cache.stats().evictions();
    }

    @Managed(description = "entries used and not cached, because their size could not be estimated")
    public long getWeighFailures()
    {
        return cache.stats().weighFailures();
    }

    @Managed(description = "memory that the entries retain, by estimate")
    public long getCurrentBytes()
    {
        return cache.stats().currentBytes();
    }

    @Managed(description = "entries in memory")
    public long getCurrentEntries()
    {
        return cache.stats().currentEntries();
    }

    @Managed(description = "the most that currentBytes can be")
    public long getCapacityBytes()
    {
        return cache.stats().capacityBytes();
    }
}
