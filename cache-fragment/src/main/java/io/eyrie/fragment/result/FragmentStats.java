// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.cache.metric.Metric;

import java.util.Map;

/**
 * Counters since the start. {@code hits + narrowedHits + subsumedHits + waits + misses == lookups} in each snapshot.
 *
 * @param busy these count as misses, or as waits
 * @param lost these count as misses
 * @param abandoned recordings that were not stored, by reason
 */
public record FragmentStats(
        @Metric("results requested") long lookups,
        @Metric("lookups that found the result") long hits,
        @Metric("lookups that found a result with more columns") long narrowedHits,
        @Metric("lookups answered by merging a result of finer groups") long subsumedHits,
        @Metric("lookups for a result that another split was computing") long waits,
        @Metric("lookups whose split then computed the result") long misses,
        @Metric("results passed to waiting splits") long sharedResults,
        @Metric("stored bytes of the results served") long hitBytes,
        @Metric("bytes that were read to compute the results served") long savedInputBytes,
        @Metric("CPU time that was spent on computing the results served, in nanoseconds") long savedCpuNanos,
        @Metric("results stored") long published,
        @Metric("bytes of the results stored") long publishedBytes,
        @Metric("stored results that could not be read, and were dropped") long undecodable,
        @Metric("results found but not served, because results being recorded and served held too much memory") long busy,
        @Metric("results found but evicted or dropped before they were read, or not usable") long lost,
        Map<Abandonment, Long> abandoned,
        @Metric("memory that results being recorded and served hold") long currentInFlightBytes)
{
    /** The counters of a node that caches no results. */
    public static final FragmentStats NONE = new FragmentCounters().snapshot(0);
}
