// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

/**
 * A snapshot of the counters of {@link Entries}. At rest, {@code hits + misses == lookups}.
 *
 * @param lookups entries looked up
 * @param hits lookups answered from the cache
 * @param misses lookups answered by the metastore
 * @param sharedLoads misses answered by another caller's load
 * @param unkeptLoads values that were not cached because their subject changed during the load or has entries of too many readers
 * @param boundDrops times that entries of a table, or all, were dropped because a table had too many changed partitions or lists of partition names
 * @param evictions entries dropped for space or because of their age
 * @param currentEntries cached entries
 * @param currentBytes their estimated size
 */
public record EntryStats(
        long lookups,
        long hits,
        long misses,
        long sharedLoads,
        long unkeptLoads,
        long boundDrops,
        long evictions,
        long currentEntries,
        long currentBytes)
{}
