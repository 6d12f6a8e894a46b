package io.eyrie.footer;

/**
 * What the cache of one kind did since it was made. {@code hits + misses + loadFailures == lookups} once no lookup is running.
 *
 * @param lookups entries asked for
 * @param hits those that were there, or that another reader was loading
 * @param misses those that were loaded
 * @param loadFailures those that failed to load; they left nothing
 * @param coalescedWaits waits for another reader's load
 * @param waitTimeouts those of them that were given up; the reader loaded by itself
 * @param evictions entries that left for others, or were not used for long
 * @param weighFailures entries that were used and not cached, because their size could not be estimated
 * @param currentBytes what the entries retain, by estimate
 * @param capacityBytes the most that {@code currentBytes} can be
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
