// SPDX-License-Identifier: Apache-2.0
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

    @Managed(description = "entries requested")
    public long getLookups()
    {
        return cache.stats().lookups();
    }

    @Managed(description = "lookups whose entry was cached, or being loaded by another reader")
    public long getHits()
    {
        return cache.stats().hits();
    }

    @Managed(description = "lookups that loaded the entry")
    public long getMisses()
    {
        return cache.stats().misses();
    }

    @Managed(description = "lookups whose load failed; nothing was cached")
    public long getLoadFailures()
    {
        return cache.stats().loadFailures();
    }

    @Managed(description = "waits for another reader's load")
    public long getCoalescedWaits()
    {
        return cache.stats().coalescedWaits();
    }

    @Managed(description = "waits for another reader's load that timed out")
    public long getWaitTimeouts()
    {
        return cache.stats().waitTimeouts();
    }

    @Managed(description = "entries evicted to make room, or because they were unused for too long")
    public long getEvictions()
    {
        return cache.stats().evictions();
    }

    @Managed(description = "entries used but not cached, because their size could not be estimated")
    public long getWeighFailures()
    {
        return cache.stats().weighFailures();
    }

    @Managed(description = "estimated memory of the entries")
    public long getCurrentBytes()
    {
        return cache.stats().currentBytes();
    }

    @Managed(description = "entries in memory")
    public long getCurrentEntries()
    {
        return cache.stats().currentEntries();
    }

    @Managed(description = "maximum of currentBytes")
    public long getCapacityBytes()
    {
        return cache.stats().capacityBytes();
    }
}
