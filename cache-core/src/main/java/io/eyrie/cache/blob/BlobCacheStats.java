// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

/**
 * Counters of a {@link BlobCache} since it was opened. {@code hits + misses + declined + errors() == lookups} in each snapshot.
 *
 * @param lookups blobs requested
 * @param hits lookups that returned the blob
 * @param misses lookups that found no blob, or only a part of one
 * @param declined lookups that the store chose not to answer
 * @param corruptions lookups that found bytes other than those of the blob; they were dropped
 * @param deviceErrors lookups that ended in a failure of the disk
 * @param busy lookups that the store had no capacity for
 * @param hitBytes bytes of blobs returned
 * @param writes blobs written
 * @param writtenBytes bytes of blobs written
 * @param declinedWrites blobs not written: too long, not admitted, no room, a quota, a directory out of service
 * @param staleWrites blobs invalidated while they were computed
 * @param busyWrites blobs not cached because too many bytes were waiting to be written
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
