// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

/**
 * Counters of one kind's cache since its creation. {@code hits + misses + loadFailures == lookups} once no lookup is running.
 *
 * @param lookups entries requested
 * @param hits entries found, or being loaded by another reader
 * @param misses entries loaded
 * @param loadFailures failed loads; they left nothing
 * @param coalescedWaits waits for another reader's load
 * @param waitTimeouts waits that timed out; the reader loaded the entry itself
 * @param evictions entries evicted for space, or unused for too long
 * @param weighFailures entries used but not cached because their size could not be estimated
 * @param currentBytes estimated memory of the entries
 * @param capacityBytes upper bound of {@code currentBytes}
 */
public record FooterStats(
        long lookups,
        long hits,
        long misses,
        long loadFailures,
        long coalescedWaits,
        long waitTimeouts,
        long evictions,
        long weighFailures,
        long currentBytes,
        long currentEntries,
        long capacityBytes)
{}
