// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

/**
 * Counters of a {@link PageCache} since it was opened, at one moment. A lookup is one page looked up for one read;
 * {@code hits + misses + declined + errors() == lookups} in each snapshot.
 *
 * @param lookups pages looked up
 * @param hits lookups served wholly from the disk or from memory
 * @param misses lookups that found nothing, or only a part
 * @param declined lookups that the store chose not to answer
 * @param corruptions lookups that found bytes other than those of the page; they were dropped
 * @param deviceErrors lookups that ended in a failure of the disk
 * @param busy lookups that the store had no capacity for
 * @param hitBytes bytes served from the disk or from memory, including those of lookups that were served in part
 * @param remoteReads ranges requested from the remote store
 * @param remoteReadBytes bytes requested from the remote store
 * @param remoteReadFailures ranges that could not be read from the remote store
 * @param coalescedWaits waits of lookups for another reader's fetch
 * @param fetchWaitTimeouts waits of these that timed out
 * @param fetchRejections fetches not started because all threads were busy; the reader read from the remote store itself
 * @param fileFetchRejections fetches not started because too many of their file were running
 * @param fetchMemoryRejections fetches not started because other fetches used the memory for fetches
 * @param admissionRejections fetches that the admission policy refused; the reader read from the remote store itself
 * @param evictions pages dropped to make room
 * @param indexEvictions pages of these that were dropped to make room in the index
 * @param writes runs of adjacent granules written, each in one page
 * @param writtenBytes bytes of these runs
 * @param declinedWrites runs that the store did not accept: no room, a quota, a directory out of service
 * @param staleWrites runs invalidated while they were loaded
 * @param busyWrites runs not cached because too many bytes were waiting to be written
 * @param failedWrites runs not written because the disk failed
 * @param incompatibleDrops pages or page folders of another format or page size, dropped at open
 * @param expirations pages dropped because of their age
 * @param memoryDeclines pages not cached because the index was full of pages that cannot be evicted
 * @param spaceDeclines pages not cached because writing them would leave less than the minimum free space
 * @param journalDrops changes that the journal did not accept; they survive a restart only if a later snapshot contains them
 * @param recoveredPages pages found when a directory was opened or returned to service
 * @param recoveryDrops parts of the journal that recovery found damaged or refused, and pages that were out of date
 * @param outages times that a directory was taken out of service
 * @param diskTimeouts reads that timed out waiting for a disk, as part of {@code deviceErrors}
 * @param currentBytes whole disk blocks used by pages and their headers
 * @param currentPages pages on the disks
 * @param currentIndexBytes memory that the index of pages uses, as counted against its limit
 * @param currentFetchBytes memory that fetches use, as counted against its limit
 * @param capacityBytes maximum of {@code currentBytes}
 * @param currentQuarantinedDirectories directories out of service
 */
public record PageCacheStats(
        long lookups,
        long hits,
        long misses,
        long declined,
        long corruptions,
        long deviceErrors,
        long busy,
        long hitBytes,
        long remoteReads,
        long remoteReadBytes,
        long remoteReadFailures,
        long coalescedWaits,
        long fetchWaitTimeouts,
        long fetchRejections,
        long fileFetchRejections,
        long fetchMemoryRejections,
        long admissionRejections,
        long evictions,
        long indexEvictions,
        long writes,
        long writtenBytes,
        long declinedWrites,
        long staleWrites,
        long busyWrites,
        long failedWrites,
        long incompatibleDrops,
        long expirations,
        long memoryDeclines,
        long spaceDeclines,
        long journalDrops,
        long recoveredPages,
        long recoveryDrops,
        long outages,
        long diskTimeouts,
        long currentBytes,
        long currentPages,
        long currentIndexBytes,
        long currentFetchBytes,
        long capacityBytes,
        int currentQuarantinedDirectories)
{
    /** Lookups that ended in a failure of the cache. */
    public long errors()
    {
        return corruptions + deviceErrors + busy;
    }
}
