package io.eyrie.cache.page;

/**
 * What a {@link PageStore} holds and what it dropped, at one moment.
 *
 * @param evictions pages dropped to make room
 * @param incompatibleDrops pages or whole page folders of another format or page size, dropped at open
 * @param currentBytes whole disk blocks of all pages, headers included; at most {@code capacityBytes}
 * @param currentQuarantinedDirectories directories out of service
 */
public record PageStoreStats(
        long evictions,
        long incompatibleDrops,
        long currentBytes,
        long currentPages,
        long capacityBytes,
        int currentQuarantinedDirectories)
{}
