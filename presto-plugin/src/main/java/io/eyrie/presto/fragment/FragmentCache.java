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

    @Managed(description = "leaves taken out of plans here")
    public long getAcceptedLeaves()
    {
        return parts.refusals().accepted();
    }

    @Managed(description = "leaves left as Presto made them")
    public long getRefusedLeaves()
    {
        return parts.refusals().refused();
    }

    @Managed(description = "of them: other nodes, or in another order")
    public long getRefusedShape()
    {
        return refused(Refusal.SHAPE);
    }

    @Managed(description = "of them: columns as they are, which the data cache keeps")
    public long getRefusedBareScan()
    {
        return refused(Refusal.BARE_SCAN);
    }

    @Managed(description = "of them: grouping sets, streaming or hashed aggregations")
    public long getRefusedAggregationKind()
    {
        return refused(Refusal.AGGREGATION_KIND);
    }

    @Managed(description = "of them: aggregates with DISTINCT, ORDER BY or FILTER")
    public long getRefusedAggregateKind()
    {
        return refused(Refusal.AGGREGATE_KIND);
    }

    @Managed(description = "of them: random() and the like")
    public long getRefusedNonDeterministic()
    {
        return refused(Refusal.NON_DETERMINISTIC);
    }

    @Managed(description = "of them: functions that are not the engine's own")
    public long getRefusedNotBuiltIn()
    {
        return refused(Refusal.NOT_BUILT_IN);
    }

    @Managed(description = "of them: lambdas")
    public long getRefusedLambda()
    {
        return refused(Refusal.LAMBDA);
    }

    @Managed(description = "of them: filters that another part of the query collects")
    public long getRefusedDynamicFilter()
    {
        return refused(Refusal.DYNAMIC_FILTER);
    }

    @Managed(description = "of them: expressions of an unknown kind")
    public long getRefusedUnknownExpression()
    {
        return refused(Refusal.UNKNOWN_EXPRESSION);
    }

    @Managed(description = "of them: enumerations and distinct types")
    public long getRefusedType()
    {
        return refused(Refusal.TYPE);
    }

    @Managed(description = "of them: more nodes, deeper expressions or more bytes than a leaf may have")
    public long getRefusedTooLarge()
    {
        return refused(Refusal.TOO_LARGE);
    }

    @Managed(description = "of them: a layout with a filter or an aggregation of its own")
    public long getRefusedLayout()
    {
        return refused(Refusal.LAYOUT);
    }

    @Managed(description = "of them: the engine or the connector threw while the leaf was planned")
    public long getRefusedFailed()
    {
        return refused(Refusal.FAILED);
    }

    @Managed(description = "predicates that could not be held against statistics, and were evaluated whole")
    public long getProofFailures()
    {
        return parts.proofFailures();
    }

    @Managed(description = "results asked for")
    public long getLookups()
    {
        return count(FragmentStats::lookups);
    }

    @Managed(description = "those that were there")
    public long getHits()
    {
        return count(FragmentStats::hits);
    }

    @Managed(description = "those that were there with more columns")
    public long getNarrowedHits()
    {
        return count(FragmentStats::narrowedHits);
    }

    @Managed(description = "those that another split was computing")
    public long getWaits()
    {
        return count(FragmentStats::waits);
    }

    @Managed(description = "those that were then computed")
    public long getMisses()
    {
        return count(FragmentStats::misses);
    }

    @Managed(description = "results given to one who waited")
    public long getSharedResults()
    {
        return count(FragmentStats::sharedResults);
    }

    @Managed(description = "bytes of results given, as stored")
    public long getHitBytes()
    {
        return count(FragmentStats::hitBytes);
    }

    @Managed(description = "bytes that were read when those results were computed")
    public long getSavedInputBytes()
    {
        return count(FragmentStats::savedInputBytes);
    }

    @Managed(description = "nanoseconds that processors were busy with it")
    public long getSavedCpuNanos()
    {
        return count(FragmentStats::savedCpuNanos);
    }

    @Managed(description = "results kept")
    public long getPublished()
    {
        return count(FragmentStats::published);
    }

    @Managed(description = "bytes of them")
    public long getPublishedBytes()
    {
        return count(FragmentStats::publishedBytes);
    }

    @Managed(description = "stored results that could not be read, and were dropped")
    public long getUndecodable()
    {
        return count(FragmentStats::undecodable);
    }

    @Managed(description = "results that were there and not served: those being recorded and served held too much memory")
    public long getBusy()
    {
        return count(FragmentStats::busy);
    }

    @Managed(description = "results that were found, and gone before they were read")
    public long getLost()
    {
        return count(FragmentStats::lost);
    }

    @Managed(description = "columns of splits read for their least and largest value")
    public long getRangesScanned()
    {
        return parts.ranges().map(ScannedRanges::scanned).orElse(0L);
    }

    @Managed(description = "what results being recorded and served hold in memory")
    public long getCurrentInFlightBytes()
    {
        return count(FragmentStats::currentInFlightBytes);
    }

    @Managed(description = "results not kept: not read to the end")
    public long getAbandonedClosedEarly()
    {
        return abandoned(Abandonment.CLOSED_EARLY);
    }

    @Managed(description = "results not kept: too many rows")
    public long getAbandonedTooManyRows()
    {
        return abandoned(Abandonment.TOO_MANY_ROWS);
    }

    @Managed(description = "results not kept: too many bytes")
    public long getAbandonedTooManyBytes()
    {
        return abandoned(Abandonment.TOO_MANY_BYTES);
    }

    @Managed(description = "results not kept: too large in memory")
    public long getAbandonedTooManyDecodedBytes()
    {
        return abandoned(Abandonment.TOO_MANY_DECODED_BYTES);
    }

    @Managed(description = "results not kept: large, and computed for the first time")
    public long getAbandonedLargeAndNew()
    {
        return abandoned(Abandonment.LARGE_AND_NEW);
    }

    @Managed(description = "results not kept: took too long")
    public long getAbandonedTooLong()
    {
        return abandoned(Abandonment.TOO_LONG);
    }

    @Managed(description = "results not kept: all recordings together held too much")
    public long getAbandonedInFlight()
    {
        return abandoned(Abandonment.IN_FLIGHT);
    }

    @Managed(description = "results not kept: nearly as large as the input, and soon made again")
    public long getAbandonedNotWorthIt()
    {
        return abandoned(Abandonment.NOT_WORTH_IT);
    }
}
