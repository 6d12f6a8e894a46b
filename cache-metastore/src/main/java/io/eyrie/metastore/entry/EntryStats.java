package io.eyrie.metastore.entry;

/**
 * Counters of {@link Entries}, at one moment; at rest {@code hits + misses == lookups}.
 *
 * @param lookups entries looked up
 * @param hits lookups answered with what is kept
 * @param misses lookups answered by the metastore
 * @param sharedLoads misses answered by another caller's load
 * @param unkeptLoads values not kept, because what they are about changed while they were loaded
 * @param evictions entries dropped to make room or because of their age
 * @param currentEntries entries kept
 * @param currentBytes what they take, by estimate
 */
public record EntryStats(
        long lookups,
        long hits,
        long misses,
        long sharedLoads,
        long unkeptLoads,
        long evictions,
        long currentEntries,
        long currentBytes)
{}
