// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.google.common.base.Suppliers;
import com.google.inject.Inject;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.cache.metric.Metric;
import io.eyrie.cache.page.PageCache;
import io.eyrie.fragment.leaf.RefusalCounters;
import io.eyrie.fragment.result.DimensionContents;
import io.eyrie.fragment.result.FragmentLimits;
import io.eyrie.fragment.result.FragmentResults;
import io.eyrie.fragment.result.FragmentStats;
import io.eyrie.fragment.result.Groupings;
import io.eyrie.fragment.result.ResultFormat;
import io.eyrie.fragment.result.SeenPlans;
import io.eyrie.fragment.result.TableGenerations;
import io.eyrie.fragment.statistics.ScannedRanges;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** The components of one catalog that plan leaves and cache their results, if the cache is enabled and the engine supports it, and the engine that runs leaves. */
public final class FragmentParts
        implements Steerable
{
    /** Divides the memory for proofs: one of this many parts holds ranges found by reading columns. Footer statistics have what remains. */
    static final int RANGES_PART = 4;
    /** On a coordinator, one of this many parts holds what it knows of files before it sends splits of them to workers. */
    static final int FACTS_PART = 2;
    /** One of this many parts holds the splits that Presto's reader has checked. */
    static final int CHECKED_PART = 8;
    /** Files of one of this many parts of the memory for build sides may be a build side. */
    static final int DIMENSION_PART = 4;

    private static final LimitedLog log = new LimitedLog(FragmentParts.class, Level.WARNING);

    private final Optional<PageCache> cache;
    private final Supplier<Optional<LeafEngine>> loaded;
    private final Optional<LeafEngine> engine;
    private final Optional<FragmentResults> results;
    private final Optional<ScannedRanges> ranges;
    private final Optional<DimensionContents> contents;
    private final Optional<TableGenerations> generations;
    private final Optional<SeenPlans> plans;
    private final Optional<Groupings> groupings;
    private final RefusalCounters refusals = new RefusalCounters();
    private final JoinCounters joins = new JoinCounters();
    private final long maxDimensionBytes;
    private final long listingNanos;
    private final LongAdder proofFailures = new LongAdder();

    @Inject
    public FragmentParts(
            FragmentConfig config,
            MemoryPlan memory,
            Optional<PageCache> cache,
            FunctionMetadataManager functions,
            BlockEncodingSerde blocks)
    {
        this(config, memory, cache, blocks, () -> LeafEngine.load(functions));
    }

    FragmentParts(FragmentConfig config, MemoryPlan memory, Optional<PageCache> cache, BlockEncodingSerde blocks,
            Supplier<Optional<LeafEngine>> engine)
    {
        this.cache = requireNonNull(cache, "cache is null");
        this.results = config.isEnabled()
                ? cache.flatMap(PageCache::blobs).map(blobs -> new FragmentResults(blobs, new ResultFormat(blocks, config.isCompressed()), limits(
                        config, memory, blobs.maxBlobBytes()), System::nanoTime))
                : Optional.empty();
        this.ranges = results.isPresent()
                ? cache.flatMap(PageCache::blobs).map(blobs -> new ScannedRanges(blobs, memory.bytes(MemoryLayer.FRAGMENT_PROOFS) / RANGES_PART))
                : Optional.empty();
        this.contents = results.isPresent() ? cache.flatMap(PageCache::blobs).map(DimensionContents::new) : Optional.empty();
        this.generations = results.isPresent() ? cache.flatMap(PageCache::blobs).map(TableGenerations::new) : Optional.empty();
        this.plans = results.isPresent() ? cache.flatMap(PageCache::blobs).map(SeenPlans::new) : Optional.empty();
        this.groupings = results.isPresent() ? cache.flatMap(PageCache::blobs).map(Groupings::new) : Optional.empty();
        // build sides are in the workers' memory: this node's heap may be smaller
        this.maxDimensionBytes = memory.share(MemoryLayer.FRAGMENT_JOINS).map(MemoryPlan.Share::limitBytes).orElse(0L) / DIMENSION_PART;
        this.listingNanos = config.getJoinedListingTime().roundTo(NANOSECONDS);
        this.loaded = Suppliers.memoize(engine::get);
        this.engine = results.flatMap(kept -> loaded.get());
    }

    /* A result is recorded whole, and stored as one blob. */
    static FragmentLimits limits(FragmentConfig config, MemoryPlan memory, int maxBlobBytes)
    {
        FragmentLimits defaults = FragmentLimits.DEFAULT;
        long inFlight = memory.bytes(MemoryLayer.FRAGMENT_RECORDINGS);
        return new FragmentLimits(
                (int) Math.min(Math.min(config.getMaxSinglePagesSize().toBytes(), inFlight), maxBlobBytes),
                defaults.maxDecodedBytes(),
                defaults.maxResultRows(),
                defaults.maxRecordTime(),
                inFlight,
                memory.bytes(MemoryLayer.FRAGMENT_RESULTS),
                defaults.waitMillis(),
                defaults.maxShareOfInput());
    }

    /** Returns the engine for which this node plans leaves; empty if it does not cache results. */
    Optional<LeafEngine> engine()
    {
        return engine;
    }

    /**
     * Returns the engine that runs leaves here. The configuration of the coordinator, which plans them, may differ from this node's.
     *
     * @throws IllegalStateException if this node's engine does not run leaves
     */
    LeafEngine runner()
    {
        return loaded.get().orElseThrow(() -> new IllegalStateException(
                "The coordinator planned a leaf fragment, but Eyrie's engine jar is missing on this node or does not fit its Presto: use one release on all nodes"));
    }

    @Override
    public Stage stage()
    {
        return Stage.RESULTS;
    }

    @Override
    public void invalidate(Scope scope)
    {
        // clears the store, which holds the pages and results, before the copies in memory, so that no copy is read back from the store
        results.ifPresent(kept -> kept.invalidate(() -> cache.orElseThrow().control().invalidate(scope)));
        ranges.ifPresent(ScannedRanges::forgetMemory);
        contents.ifPresent(DimensionContents::forgetMemory);
        groupings.ifPresent(Groupings::forgetMemory);
        // last, so that results derived from copies dropped just now have the previous generation
        generations.ifPresent(kept -> kept.invalidate(scope));
    }

    /** Whether results over a table may be cached. */
    boolean mayCache(Scope table)
    {
        return cache.map(kept -> kept.mayCache(table)).orElse(true);
    }

    public Optional<FragmentResults> results()
    {
        return results;
    }

    /** Returns the counters of the results. */
    public FragmentStats stats()
    {
        return results.map(FragmentResults::stats).orElse(FragmentStats.NONE);
    }

    @Metric("columns of splits read to find their minimum and maximum")
    public long rangesScanned()
    {
        return ranges.map(ScannedRanges::scanned).orElse(0L);
    }

    Optional<ScannedRanges> ranges()
    {
        return ranges;
    }

    Optional<DimensionContents> contents()
    {
        return contents;
    }

    Optional<TableGenerations> generations()
    {
        return generations;
    }

    Optional<SeenPlans> plans()
    {
        return plans;
    }

    Optional<Groupings> groupings()
    {
        return groupings;
    }

    /** Counts a predicate that could not be evaluated against statistics. */
    void proofFailed(RuntimeException failure)
    {
        proofFailures.increment();
        log.log("Comparing a predicate with file statistics failed. The predicate is evaluated in full", failure);
    }

    @Metric("predicates that could not be compared with file statistics and were evaluated in full")
    public long proofFailures()
    {
        return proofFailures.sum();
    }

    JoinCounters joins()
    {
        return joins;
    }

    /** Returns how large the files of a table may be that each worker reads as a whole to join it; 0 if joins are not replaced. */
    long maxDimensionBytes()
    {
        return maxDimensionBytes;
    }

    /** Returns how long the files of dimensions may take to list while a query is planned. */
    long listingNanos()
    {
        return listingNanos;
    }

    RefusalCounters refusals()
    {
        return refusals;
    }
}
