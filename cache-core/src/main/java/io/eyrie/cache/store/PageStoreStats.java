// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.metric.Metric;

/**
 * Contents and drop counters of a {@link PageStore} at one moment.
 *
 * @param indexEvictions a part of {@code evictions}
 * @param journalDrops these changes survive a restart only if a later snapshot contains them
 * @param currentBytes includes the pages' headers
 * @param currentIndexBytes as counted against the limit of the index
 */
public record PageStoreStats(
        @Metric("pages dropped to make room") long evictions,
        @Metric("evictions that made room in the index") long indexEvictions,
        @Metric("pages or page folders of another format or page size, dropped at open") long incompatibleDrops,
        @Metric("pages dropped because of their age") long expirations,
        @Metric("pages not cached because the index was full of pages that cannot be evicted") long memoryDeclines,
        @Metric("pages not cached because writing them would have left less than the minimum free space") long spaceDeclines,
        @Metric("changes that the journal did not accept") long journalDrops,
        @Metric("pages found when a directory was opened or returned to service") long recoveredPages,
        @Metric("parts of the journal that recovery found damaged or refused, and pages that were out of date") long recoveryDrops,
        @Metric("times that a directory was taken out of service") long outages,
        @Metric("reads that timed out waiting for a disk") long diskTimeouts,
        @Metric("whole disk blocks used by pages and their headers") long currentBytes,
        @Metric("pages on the disks") long currentPages,
        @Metric("memory used by the index of pages") long currentIndexBytes,
        @Metric("maximum of currentBytes") long capacityBytes,
        @Metric("directories out of service") int currentQuarantinedDirectories)
{
    /** Returns the statistics of a store that counts nothing else. */
    public static PageStoreStats of(long evictions, long indexEvictions, long currentBytes, long currentPages, long capacityBytes)
    {
        return new PageStoreStats(evictions, indexEvictions, 0, 0, 0, 0, 0, 0, 0, 0, 0, currentBytes, currentPages, 0, capacityBytes, 0);
    }
}
