package io.eyrie.cache.blob;

/**
 * Counters of a {@link BlobCache} since it was opened. {@code hits + misses + declined + errors() == lookups} in each snapshot.
 *
 * @param lookups blobs asked for
 * @param hits those given
 * @param misses those that were not there, or not whole any more
 * @param declined those that the store chose not to give
 * @param corruptions those that were not what had been put; they were dropped
 * @param deviceErrors those that ended in a failure of the disk
 * @param busy those that the store had no capacity for
 * @param hitBytes bytes of blobs given
 * @param writes blobs written
 * @param writtenBytes bytes of blobs written
 * @param declinedWrites blobs not written: too long, not admitted, no room, a quota, a directory out of service
 * @param staleWrites blobs that were invalidated while they were computed
 * @param busyWrites blobs not kept because too much was waiting to be written
 * @param failedWrites blobs not written because the disk failed
 */
public record BlobCacheStats(
        long lookups,
        long hits,
        long misses,
        long declined,
        long corruptions,
        long deviceErrors,
        long busy,
        long hitBytes,
        long writes,
        long writtenBytes,
        long declinedWrites,
        long staleWrites,
        long busyWrites,
        long failedWrites)
{
    /** Lookups that ended in a failure of the cache. */
    public long errors()
    {
        return corruptions + deviceErrors + busy;
    }
}
