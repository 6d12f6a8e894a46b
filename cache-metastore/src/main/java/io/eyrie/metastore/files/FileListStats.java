package io.eyrie.metastore.files;

/**
 * Counters of {@link FileLists}, at one moment; at rest {@code hits + misses == lookups}.
 *
 * @param lookups listings asked for of directories that may be sealed
 * @param hits those answered with what is kept
 * @param misses those that listed
 * @param sharedListings misses answered by another query's listing
 * @param openListings listings not kept because the directory's newest file is young, or it has none
 * @param unkeptListings listings not kept because of a change or an invalidation meanwhile
 * @param longListings listings not kept because there was no room for them while they were read
 * @param evictions lists dropped to make room or because of their age
 * @param currentLists lists kept
 * @param currentBytes what they take, by estimate
 * @param capacityBytes the most that {@code currentBytes} can be
 */
public record FileListStats(
        long lookups,
        long hits,
        long misses,
        long sharedListings,
        long openListings,
        long unkeptListings,
        long longListings,
        long evictions,
        long currentLists,
        long currentBytes,
        long capacityBytes)
{}
