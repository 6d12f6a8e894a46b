// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

/**
 * A snapshot of the counters of {@link FileLists}. At rest, {@code hits + misses == lookups}.
 *
 * @param lookups lookups of directories that may be sealed
 * @param hits lookups answered from the cache
 * @param misses lookups that listed the directory
 * @param sharedListings misses answered by another query's listing
 * @param openListings listings that were not cached because the directory's newest file is too young or it has no files
 * @param unkeptListings listings that were not cached because of a change or an invalidation during the listing
 * @param longListings listings that were not cached because there was no memory for them while they were read
 * @param evictions lists dropped for space or because of their age
 * @param currentLists cached lists
 * @param currentBytes their estimated size
 * @param capacityBytes the bound on {@code currentBytes}
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
