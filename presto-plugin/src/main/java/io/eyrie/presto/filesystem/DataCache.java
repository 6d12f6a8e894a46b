// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.google.inject.Inject;
import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.page.PageCache;
import org.weakref.jmx.Managed;

import static java.util.Objects.requireNonNull;

/**
 * The counters of the page cache as an MBean, {@code io.eyrie.presto.filesystem:type=DataCache,name=<catalog>}.
 * {@link io.eyrie.cache.page.PageCacheStats} defines them. Catalogs that share a store show the same counters.
 */
public final class DataCache
{
    private final PageCache cache;

    @Inject
    public DataCache(PageCache cache)
    {
        this.cache = requireNonNull(cache, "cache is null");
    }

    @Managed(description = "pages looked up")
    public long getLookups()
    {
        return cache.stats().lookups();
    }

    @Managed(description = "lookups served wholly from the disk or from memory")
    public long getHits()
    {
        return cache.stats().hits();
    }

    @Managed(description = "lookups that found nothing, or only a part")
    public long getMisses()
    {
        return cache.stats().misses();
    }

    @Managed(description = "lookups that the store chose not to answer")
    public long getDeclined()
    {
        return cache.stats().declined();
    }

    @Managed(description = "lookups that found bytes other than those of the page; they were dropped")
    public long getCorruptions()
    {
        return cache.stats().corruptions();
    }

    @Managed(description = "lookups that ended in a failure of the disk")
    public long getDeviceErrors()
    {
        return cache.stats().deviceErrors();
    }

    @Managed(description = "lookups that the store had no capacity for")
    public long getBusy()
    {
        return cache.stats().busy();
    }

    @Managed(description = "bytes served from the disk or from memory, including those of lookups that were served in part")
    public long getHitBytes()
    {
        return cache.stats().hitBytes();
    }

    @Managed(description = "ranges requested from the remote store")
    public long getRemoteReads()
    {
        return cache.stats().remoteReads();
    }

    @Managed(description = "bytes requested from the remote store")
    public long getRemoteReadBytes()
    {
        return cache.stats().remoteReadBytes();
    }

    @Managed(description = "ranges that could not be read from the remote store")
    public long getRemoteReadFailures()
    {
        return cache.stats().remoteReadFailures();
    }

    @Managed(description = "waits of lookups for another reader's fetch")
    public long getCoalescedWaits()
    {
        return cache.stats().coalescedWaits();
    }

    @Managed(description = "waits for another reader's fetch that timed out")
    public long getFetchWaitTimeouts()
    {
        return cache.stats().fetchWaitTimeouts();
    }

    @Managed(description = "fetches not started because all threads were busy; the reader read from the remote store itself")
    public long getFetchRejections()
    {
        return cache.stats().fetchRejections();
    }

    @Managed(description = "fetches not started because too many of their file were running")
    public long getFileFetchRejections()
    {
        return cache.stats().fileFetchRejections();
    }

    @Managed(description = "fetches not started because other fetches used the memory for fetches")
    public long getFetchMemoryRejections()
    {
        return cache.stats().fetchMemoryRejections();
    }

    @Managed(description = "fetches that the admission policy refused; the reader read from the remote store itself")
    public long getAdmissionRejections()
    {
        return cache.stats().admissionRejections();
    }

    @Managed(description = "ranges not cached because a rule denies their table; a dry run only counts them")
    public long getDeniedByRule()
    {
        return cache.admissions().count(Admission.DENIED_BY_RULE);
    }

    @Managed(description = "ranges not cached because their page was missed for the first time; a dry run only counts them")
    public long getSeenOnce()
    {
        return cache.admissions().count(Admission.SEEN_ONCE);
    }

    @Managed(description = "ranges not cached because the write budget of their query was used up; a dry run only counts them")
    public long getOverQueryBudget()
    {
        return cache.admissions().count(Admission.OVER_QUERY_BUDGET);
    }

    @Managed(description = "ranges not cached because the daily write budget was used up; a dry run only counts them")
    public long getOverDailyBudget()
    {
        return cache.admissions().count(Admission.OVER_DAILY_BUDGET);
    }

    @Managed(description = "pages dropped to make room")
    public long getEvictions()
    {
        return cache.stats().evictions();
    }

    @Managed(description = "runs of adjacent granules written, each in one page")
    public long getWrites()
    {
        return cache.stats().writes();
    }

    @Managed(description = "bytes of these runs")
    public long getWrittenBytes()
    {
        return cache.stats().writtenBytes();
    }

    @Managed(description = "runs that the page store did not accept: no room, a quota, a directory out of service")
    public long getDeclinedWrites()
    {
        return cache.stats().declinedWrites();
    }

    @Managed(description = "runs invalidated while they were loaded")
    public long getStaleWrites()
    {
        return cache.stats().staleWrites();
    }

    @Managed(description = "runs not cached because too many bytes were waiting to be written")
    public long getBusyWrites()
    {
        return cache.stats().busyWrites();
    }

    @Managed(description = "runs not written because the disk failed")
    public long getFailedWrites()
    {
        return cache.stats().failedWrites();
    }

    @Managed(description = "pages or page folders of another format or page size, dropped at open")
    public long getIncompatibleDrops()
    {
        return cache.stats().incompatibleDrops();
    }

    @Managed(description = "pages dropped because of their age")
    public long getExpirations()
    {
        return cache.stats().expirations();
    }

    @Managed(description = "evictions that made room in the index")
    public long getIndexEvictions()
    {
        return cache.stats().indexEvictions();
    }

    @Managed(description = "pages not cached because the index was full of pages that cannot be evicted")
    public long getMemoryDeclines()
    {
        return cache.stats().memoryDeclines();
    }

    @Managed(description = "pages not cached because writing them would have left less than the minimum free space")
    public long getSpaceDeclines()
    {
        return cache.stats().spaceDeclines();
    }

    @Managed(description = "changes that the journal did not accept")
    public long getJournalDrops()
    {
        return cache.stats().journalDrops();
    }

    @Managed(description = "pages found when a directory was opened or returned to service")
    public long getRecoveredPages()
    {
        return cache.stats().recoveredPages();
    }

    @Managed(description = "parts of the journal that recovery found damaged or refused, and pages that were out of date")
    public long getRecoveryDrops()
    {
        return cache.stats().recoveryDrops();
    }

    @Managed(description = "times that a directory was taken out of service")
    public long getOutages()
    {
        return cache.stats().outages();
    }

    @Managed(description = "reads that timed out waiting for a disk")
    public long getDiskTimeouts()
    {
        return cache.stats().diskTimeouts();
    }

    @Managed(description = "memory used by the index of pages")
    public long getCurrentIndexBytes()
    {
        return cache.stats().currentIndexBytes();
    }

    @Managed(description = "memory used by fetches")
    public long getCurrentFetchBytes()
    {
        return cache.stats().currentFetchBytes();
    }

    @Managed(description = "whole disk blocks used by pages and their headers")
    public long getCurrentBytes()
    {
        return cache.stats().currentBytes();
    }

    @Managed(description = "pages on the disks")
    public long getCurrentPages()
    {
        return cache.stats().currentPages();
    }

    @Managed(description = "maximum of currentBytes")
    public long getCapacityBytes()
    {
        return cache.stats().capacityBytes();
    }

    @Managed(description = "directories out of service")
    public int getCurrentQuarantinedDirectories()
    {
        return cache.stats().currentQuarantinedDirectories();
    }
}
