// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.google.inject.Inject;
import io.eyrie.fragment.leaf.Refusal;
import io.eyrie.fragment.result.Abandonment;
import io.eyrie.fragment.result.FragmentResults;
import io.eyrie.fragment.result.FragmentStats;
import io.eyrie.fragment.statistics.ScannedRanges;
import org.weakref.jmx.Managed;

import java.util.function.ToLongFunction;

import static java.util.Objects.requireNonNull;

/**
 * Counters of leaves as an MBean, {@code io.eyrie.presto.fragment:type=FragmentCache,name=<catalog>}: a coordinator counts plans, a worker counts
 * results. {@link Refusal}, {@link FragmentStats} and {@link Abandonment} define them.
 */
public final class FragmentCache
{
    private final FragmentParts parts;

    @Inject
    public FragmentCache(FragmentParts parts)
    {
        this.parts = requireNonNull(parts, "parts is null");
    }

    private long refused(Refusal reason)
    {
        return parts.refusals().reasons().getOrDefault(reason, 0L);
    }

    private long abandoned(Abandonment reason)
    {
        return count(stats -> stats.abandoned().getOrDefault(reason, 0L));
    }

    private long count(ToLongFunction<FragmentStats> counter)
    {
        return parts.results().map(FragmentResults::stats).map(counter::applyAsLong).orElse(0L);
    }

    @Managed(description = "leaf fragments replaced in plans, so that their results can be cached")
    public long getAcceptedLeaves()
    {
        return parts.refusals().accepted();
    }

    @Managed(description = "leaf fragments left as Presto planned them")
    public long getRefusedLeaves()
    {
        return parts.refusals().refused();
    }

    @Managed(description = "leaf fragments refused because of the kinds or the order of their plan nodes")
    public long getRefusedShape()
    {
        return refused(Refusal.SHAPE);
    }

    @Managed(description = "leaf fragments refused because they only read columns, which the data cache covers")
    public long getRefusedBareScan()
    {
        return refused(Refusal.BARE_SCAN);
    }

    @Managed(description = "leaf fragments refused because of grouping sets, or a streaming, hashed or non-partial aggregation")
    public long getRefusedAggregationKind()
    {
        return refused(Refusal.AGGREGATION_KIND);
    }

    @Managed(description = "leaf fragments refused because of an aggregate with DISTINCT, ORDER BY, FILTER or an unexpected intermediate type")
    public long getRefusedAggregateKind()
    {
        return refused(Refusal.AGGREGATE_KIND);
    }

    @Managed(description = "leaf fragments refused because of random() or another nondeterministic function")
    public long getRefusedNonDeterministic()
    {
        return refused(Refusal.NON_DETERMINISTIC);
    }

    @Managed(description = "leaf fragments refused because of a function that the engine does not implement itself")
    public long getRefusedNotBuiltIn()
    {
        return refused(Refusal.NOT_BUILT_IN);
    }

    @Managed(description = "leaf fragments refused because of a lambda or a bound argument")
    public long getRefusedLambda()
    {
        return refused(Refusal.LAMBDA);
    }

    @Managed(description = "leaf fragments refused because of a dynamic filter, whose values another part of the query collects")
    public long getRefusedDynamicFilter()
    {
        return refused(Refusal.DYNAMIC_FILTER);
    }

    @Managed(description = "leaf fragments refused because of an unknown kind of expression")
    public long getRefusedUnknownExpression()
    {
        return refused(Refusal.UNKNOWN_EXPRESSION);
    }

    @Managed(description = "leaf fragments refused because of an enumeration, a distinct type or a plugin's type")
    public long getRefusedType()
    {
        return refused(Refusal.TYPE);
    }

    @Managed(description = "leaf fragments refused because of too many or too deeply nested expressions, or too many bytes")
    public long getRefusedTooLarge()
    {
        return refused(Refusal.TOO_LARGE);
    }

    @Managed(description = "leaf fragments refused because the table layout already filters or aggregates")
    public long getRefusedLayout()
    {
        return refused(Refusal.LAYOUT);
    }

    @Managed(description = "leaf fragments refused because the engine or the connector threw an exception while planning them")
    public long getRefusedFailed()
    {
        return refused(Refusal.FAILED);
    }

    @Managed(description = "predicates that could not be compared with file statistics and were evaluated in full")
    public long getProofFailures()
    {
        return parts.proofFailures();
    }

    @Managed(description = "results requested")
    public long getLookups()
    {
        return count(FragmentStats::lookups);
    }

    @Managed(description = "lookups that found the result")
    public long getHits()
    {
        return count(FragmentStats::hits);
    }

    @Managed(description = "lookups that found a result with more columns")
    public long getNarrowedHits()
    {
        return count(FragmentStats::narrowedHits);
    }

    @Managed(description = "lookups for a result that another split was computing")
    public long getWaits()
    {
        return count(FragmentStats::waits);
    }

    @Managed(description = "lookups whose split then computed the result")
    public long getMisses()
    {
        return count(FragmentStats::misses);
    }

    @Managed(description = "results passed to waiting splits")
    public long getSharedResults()
    {
        return count(FragmentStats::sharedResults);
    }

    @Managed(description = "stored bytes of the results served")
    public long getHitBytes()
    {
        return count(FragmentStats::hitBytes);
    }

    @Managed(description = "bytes that were read to compute the results served")
    public long getSavedInputBytes()
    {
        return count(FragmentStats::savedInputBytes);
    }

    @Managed(description = "CPU time that was spent on computing the results served, in nanoseconds")
    public long getSavedCpuNanos()
    {
        return count(FragmentStats::savedCpuNanos);
    }

    @Managed(description = "results stored")
    public long getPublished()
    {
        return count(FragmentStats::published);
    }

    @Managed(description = "bytes of the results stored")
    public long getPublishedBytes()
    {
        return count(FragmentStats::publishedBytes);
    }

    @Managed(description = "stored results that could not be read, and were dropped")
    public long getUndecodable()
    {
        return count(FragmentStats::undecodable);
    }

    @Managed(description = "results found but not served, because results being recorded and served held too much memory")
    public long getBusy()
    {
        return count(FragmentStats::busy);
    }

    @Managed(description = "results found but evicted or dropped before they were read")
    public long getLost()
    {
        return count(FragmentStats::lost);
    }

    @Managed(description = "columns of splits read to find their minimum and maximum")
    public long getRangesScanned()
    {
        return parts.ranges().map(ScannedRanges::scanned).orElse(0L);
    }

    @Managed(description = "memory that results being recorded and served hold")
    public long getCurrentInFlightBytes()
    {
        return count(FragmentStats::currentInFlightBytes);
    }

    @Managed(description = "results not stored: not read to the end")
    public long getAbandonedClosedEarly()
    {
        return abandoned(Abandonment.CLOSED_EARLY);
    }

    @Managed(description = "results not stored: too many rows")
    public long getAbandonedTooManyRows()
    {
        return abandoned(Abandonment.TOO_MANY_ROWS);
    }

    @Managed(description = "results not stored: too many bytes")
    public long getAbandonedTooManyBytes()
    {
        return abandoned(Abandonment.TOO_MANY_BYTES);
    }

    @Managed(description = "results not stored: too large in memory")
    public long getAbandonedTooManyDecodedBytes()
    {
        return abandoned(Abandonment.TOO_MANY_DECODED_BYTES);
    }

    @Managed(description = "results not stored: large, and computed for the first time")
    public long getAbandonedLargeAndNew()
    {
        return abandoned(Abandonment.LARGE_AND_NEW);
    }

    @Managed(description = "results not stored: recording took too long")
    public long getAbandonedTooLong()
    {
        return abandoned(Abandonment.TOO_LONG);
    }

    @Managed(description = "results not stored: recorded and served results together held too much memory")
    public long getAbandonedInFlight()
    {
        return abandoned(Abandonment.IN_FLIGHT);
    }

    @Managed(description = "results not stored: nearly as large as the input, and cheap to compute again")
    public long getAbandonedNotWorthIt()
    {
        return abandoned(Abandonment.NOT_WORTH_IT);
    }
}
