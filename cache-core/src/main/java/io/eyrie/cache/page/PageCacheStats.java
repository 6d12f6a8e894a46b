package io.eyrie.cache.page;

/**
 * Counters of a {@link PageCache} since it was opened, at one moment. A lookup is one page looked up for one read;
 * {@code hits + misses + declined + errors() == lookups} in each snapshot.
 *
 * @param lookups pages looked up
 * @param hits lookups served wholly from the disk or from memory
 * @param misses lookups that found nothing, or a part
 * @param declined lookups that the store chose not to answer
 * @param corruptions lookups that found something else than the page, which was dropped
 * @param deviceErrors lookups that ended in a failure of the disk
 * @param busy lookups that the store had no capacity for
 * @param hitBytes bytes given to readers from the disk or from memory, also by lookups that lacked others
 * @param remoteReads ranges asked of the remote store
 * @param remoteReadBytes bytes asked of the remote store
 * @param remoteReadFailures ranges that the remote store failed to give
 * @param coalescedWaits waits of lookups for another reader's fetch
 * @param fetchWaitTimeouts those of them that were given up
 * @param fetchRejections fetches that found the pool full, so that the reader read by itself
 * @param fileFetchRejections fetches that were not begun, as too many of their file were running
 * @param fetchMemoryRejections fetches that were not begun, as others took the memory that there is for them
 * @param admissionRejections fetches that the admission policy refused, so that the reader read by itself
 * @param evictions pages dropped to make room
 * @param indexEvictions pages of them that were dropped to make room in the index
 * @param writes runs of neighbouring granules written, each in one page
 * @param writtenBytes their bytes
 * @param declinedWrites runs that the store did not keep: no room, a quota, a directory out of service
 * @param staleWrites runs that were invalidated while they were loaded
 * @param busyWrites runs not kept because too much was waiting to be written
 * @param failedWrites runs not written because the disk failed
 * @param incompatibleDrops pages or page folders of another format or page size, dropped at open
 * @param expirations pages dropped because of their age
 * @param memoryDeclines pages not cached because the index was full of pages that cannot be evicted
 * @param spaceDeclines pages not kept because they would not have left the space free that must stay free
 * @param journalDrops changes that the journal did not take, so that they are there after a restart only if a snapshot has been written since
 * @param recoveredPages pages found when a directory was opened or came back
 * @param recoveryDrops parts of the journal that were damaged or refused then, and pages that were out of date
 * @param outages times that a directory was taken out of service
 * @param diskTimeouts reads that waited for a disk in vain, of the {@code deviceErrors}
 * @param currentBytes whole disk blocks taken by pages and their headers
 * @param currentPages pages on the disks
 * @param currentIndexBytes memory that the index of pages takes, as it is counted against its bound
 * @param currentFetchBytes memory that fetches take, as it is counted against its bound
 * @param capacityBytes the most that {@code currentBytes} can be
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
