package io.eyrie.cache.page;

/**
 * Counters of a {@link PageCache} since it was opened, at one moment. A lookup is one page looked up for one read; at
 * rest {@code hits + misses + declined + errors() == lookups}.
 *
 * @param lookups pages looked up
 * @param hits lookups served from the disk or from pages still in memory
 * @param misses lookups that found nothing
 * @param declined lookups that the store chose not to answer
 * @param corruptions lookups that found something else than the page, which was dropped
 * @param deviceErrors lookups that ended in a failure of the disk
 * @param busy lookups that the store had no capacity for
 * @param hitBytes bytes given to readers by hits
 * @param remoteReads ranges asked of the remote store
 * @param remoteReadBytes bytes asked of the remote store
 * @param remoteReadFailures ranges that the remote store failed to give
 * @param coalescedWaits lookups that joined another reader's fetch
 * @param fetchWaitTimeouts lookups that gave up waiting for another reader's fetch
 * @param fetchRejections fetches that found the pool full, so that the reader read by itself
 * @param evictions pages dropped to make room
 * @param writes pages written
 * @param writtenBytes bytes of pages written
 * @param declinedWrites pages not written: buffer full, no room, a directory out of service
 * @param failedWrites pages not written because the disk failed
 * @param incompatibleDrops pages or page folders of another format or page size, dropped at open
 * @param currentBytes whole disk blocks taken by pages and their headers
 * @param currentPages pages on the disks
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
        long evictions,
        long writes,
        long writtenBytes,
        long declinedWrites,
        long failedWrites,
        long incompatibleDrops,
        long currentBytes,
        long currentPages,
        long capacityBytes,
        int currentQuarantinedDirectories)
{
    /** Lookups that ended in a failure of the cache. */
    public long errors()
    {
        return corruptions + deviceErrors + busy;
    }
}
