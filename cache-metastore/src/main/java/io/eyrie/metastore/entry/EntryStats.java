// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import io.eyrie.cache.metric.Metric;

/**
 * A snapshot of the counters of {@link Entries}. At rest, {@code hits + misses == lookups}.
 *
 * @param lookups entries looked up. No metric: {@code MetastoreCacheCounters} adds the lookups that bypass the cache
 */
public record EntryStats(
        long lookups,
        @Metric("lookups answered from the cache") long hits,
        @Metric("lookups answered by the metastore, and cached unless the metadata changed meanwhile") long misses,
        @Metric("misses answered by another query's load") long sharedLoads,
        @Metric("values not cached, because their subject changed during the load or has entries of too many users") long uncachedLoads,
        @Metric("times that entries were dropped because a table had too many changed partitions or lists of partition names") long boundDrops,
        @Metric("entries dropped to make room or because of their age") long evictions,
        @Metric("cached entries") long currentEntries,
        @Metric("estimated memory of the entries") long currentBytes)
{}
