package io.eyrie.fragment.result;

import java.util.Map;

/**
 * Counters since the start. {@code hits + narrowedHits + waits + misses == lookups} in each snapshot.
 *
 * @param lookups results asked for
 * @param hits those that were there
 * @param narrowedHits those that were there with more columns
 * @param waits those that another was computing
 * @param misses those that the one who asked then computed
 * @param sharedResults results given to one who waited
 * @param hitBytes bytes of results given, as stored
 * @param savedInputBytes bytes that were read when those results were computed
 * @param savedCpuNanos time that processors were busy with it
 * @param published results kept
 * @param publishedBytes bytes of them
 * @param undecodable stored results that could not be read; they were dropped
 * @param busy results found and not served, as results being recorded and served held too much memory; they count as misses, or as waits
 * @param lost results found and gone before they were read; they count as misses
 * @param abandoned recordings that were not kept, by reason
 * @param currentInFlightBytes what results being recorded and served hold in memory now
 */
public record FragmentStats(
        long lookups,
        long hits,
        long narrowedHits,
        long waits,
        long misses,
        long sharedResults,
        long hitBytes,
        long savedInputBytes,
        long savedCpuNanos,
        long published,
        long publishedBytes,
        long undecodable,
        long busy,
        long lost,
        Map<Abandonment, Long> abandoned,
        long currentInFlightBytes)
{}
