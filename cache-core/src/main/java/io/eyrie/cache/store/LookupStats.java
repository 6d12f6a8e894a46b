// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.metric.Metric;

/** Counts of the lookups of a cache over a {@link PageStore}, by outcome. Each lookup is counted once, when it ends. */
public record LookupStats(
        @Metric("lookups served wholly from the disk or from memory") long hits,
        @Metric("lookups that found nothing, or only a part") long misses,
        @Metric("lookups that the store chose not to answer") long declined,
        @Metric("lookups that found bytes other than those of the page; they were dropped") long corruptions,
        @Metric("lookups that ended in a failure of the disk") long deviceErrors,
        @Metric("lookups that the store had no capacity for") long busy,
        @Metric("bytes served from the disk or from memory, including those of lookups that were served in part") long hitBytes)
{
    /** Lookups with any outcome. */
    @Metric("pages looked up")
    public long lookups()
    {
        return hits + misses + declined + errors();
    }

    /** Lookups that ended in a failure of the cache. */
    public long errors()
    {
        return corruptions + deviceErrors + busy;
    }
}
