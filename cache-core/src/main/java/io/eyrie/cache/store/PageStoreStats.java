// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

/**
 * Contents and drop counters of a {@link PageStore} at one moment.
 *
 * @param evictions pages dropped to make room
 * @param indexEvictions pages of these that were dropped to make room in the index
 * @param incompatibleDrops pages or whole page folders of another format or page size, dropped at open
 * @param expirations pages dropped because of their age
 * @param memoryDeclines pages not cached because the index was full of pages that cannot be evicted
 * @param spaceDeclines pages not cached because writing them would leave less than the minimum free space
 * @param journalDrops changes that the journal did not accept; they survive a restart only if a later snapshot contains them
 * @param recoveredPages pages found when a directory was opened or returned to service
 * @param recoveryDrops parts of the journal that recovery found damaged or refused, and pages that were out of date
 * @param outages times that a directory was taken out of service
 * @param diskTimeouts reads that timed out waiting for a disk
 * @param currentBytes whole disk blocks of all pages, headers included; at most {@code capacityBytes}
 * @param currentIndexBytes memory that the index uses, as counted against its limit
 * @param currentQuarantinedDirectories directories out of service
 */
public record PageStoreStats(
        long evictions,
        long indexEvictions,
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
        long capacityBytes,
        int currentQuarantinedDirectories)
{}
