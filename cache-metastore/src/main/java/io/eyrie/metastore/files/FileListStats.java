// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import io.eyrie.cache.metric.Metric;

/** A snapshot of the counters of {@link FileLists}. At rest, {@code hits + misses == lookups}. */
public record FileListStats(
        @Metric("lookups of directories that may be sealed") long lookups,
        @Metric("lookups answered from the cache") long hits,
        @Metric("lookups that listed the directory") long misses,
        @Metric("misses answered by another query's listing") long sharedListings,
        @Metric("listings not cached because the directory's newest file is too young, or it has no files") long openListings,
        @Metric("listings not cached because of a change or an invalidation during the listing") long uncachedListings,
        @Metric("listings not cached because there was no memory for them while they were read") long longListings,
        @Metric("hits of lists that were read from the coordinator's disk") long storedHits,
        @Metric("lists dropped to make room or because of their age") long evictions,
        @Metric("cached lists") long currentLists,
        @Metric("estimated memory of the lists") long currentBytes,
        @Metric("maximum of currentBytes") long capacityBytes)
{}
