package io.eyrie.cache.page;

/**
 * What a {@link PageStore} holds and what it dropped, at one moment.
 *
 * @param evictions pages dropped to make room
 * @param indexEvictions pages of them that were dropped to make room in the index
 * @param incompatibleDrops pages or whole page folders of another format or page size, dropped at open
 * @param expirations pages dropped because of their age
 * @param memoryDeclines pages not cached because the index was full of pages that cannot be evicted
 * @param spaceDeclines pages not kept because they would not have left the space free that must stay free
 * @param journalDrops changes that the journal did not take, so that they are there after a restart only if a snapshot has been written since
 * @param recoveredPages pages found when a directory was opened or came back
 * @param recoveryDrops parts of the journal that were damaged or refused then, and pages that were out of date
 * @param outages times that a directory was taken out of service
 * @param diskTimeouts reads that waited for a disk in vain
 * @param currentBytes whole disk blocks of all pages, headers included; at most {@code capacityBytes}
 * @param currentIndexBytes memory that the index takes, as it is counted against its bound
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
