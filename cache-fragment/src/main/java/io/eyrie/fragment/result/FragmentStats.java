// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import java.util.Map;

/**
 * Counters since the start. {@code hits + narrowedHits + waits + misses == lookups} in each snapshot.
 *
 * @param lookups results requested
 * @param hits lookups that found the result
 * @param narrowedHits lookups that found a result with more columns
 * @param waits lookups for a result that another caller was computing
 * @param misses lookups whose caller then computed the result
 * @param sharedResults results passed to waiters
 * @param hitBytes stored bytes of the results served
 * @param savedInputBytes bytes that were read to compute those results
 * @param savedCpuNanos CPU time that was spent on computing them
 * @param published results stored
 * @param publishedBytes bytes of the results stored
 * @param undecodable stored results that could not be read; they were dropped
 * @param busy results found but not served because results being recorded and served held too much memory; they count as misses, or as waits
 * @param lost results found but evicted or dropped before they were read; they count as misses
 * @param abandoned recordings that were not stored, by reason
 * @param currentInFlightBytes memory that results being recorded and served hold now
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
