// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import io.eyrie.cache.metric.Metric;

/** Counters of one kind's cache since its creation. {@code hits + misses + loadFailures == lookups} once no lookup is running. */
public record FooterStats(
        @Metric("entries requested") long lookups,
        @Metric("lookups whose entry was cached, or being loaded by another reader") long hits,
        @Metric("lookups that loaded the entry") long misses,
        @Metric("lookups whose load failed; nothing was cached") long loadFailures,
        @Metric("waits for another reader's load") long coalescedWaits,
        @Metric("waits for another reader's load that timed out") long waitTimeouts,
        @Metric("entries evicted to make room, or because they were unused for too long") long evictions,
        @Metric("entries used but not cached, because their size could not be estimated") long weighFailures,
        @Metric("estimated memory of the entries") long currentBytes,
        @Metric("entries in memory") long currentEntries,
        @Metric("maximum of currentBytes") long capacityBytes)
{}
