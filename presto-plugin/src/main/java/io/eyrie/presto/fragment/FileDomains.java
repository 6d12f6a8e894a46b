// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.spi.NodeManager;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.LoadEpoch;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Caches in memory, by file version, all values that columns may contain, as their footers prove them. Thread-safe. */
final class FileDomains
        implements Steerable
{
    /** Estimated size of an entry, without the path. */
    private static final int ENTRY_BYTES = 1536;

    private final Cache<FileColumn, Optional<Domain>> domains;
    private final LoadEpoch epoch = new LoadEpoch();

    /**
     * A column of a version of a file.
     *
     * @param byName whether a reader finds columns of Parquet files by their names
     */
    record FileColumn(FileVersion file, HiveColumnHandle column, boolean byName)
    {}

    @Inject
    FileDomains(MemoryPlan memory, NodeManager nodes)
    {
        this(maxMemoryBytes(memory, nodes));
    }

    FileDomains(long maxMemoryBytes)
    {
        domains = Caffeine.newBuilder()
                .maximumWeight(maxMemoryBytes)
                .<FileColumn, Optional<Domain>>weigher((column, domain) -> ENTRY_BYTES + column.file().path().length() + domain.map(
                        FileDomains::textBytes).orElse(0))
                .build();
    }

    private static long maxMemoryBytes(MemoryPlan memory, NodeManager nodes)
    {
        long proofs = memory.bytes(MemoryLayer.FRAGMENT_PROOFS);
        return proofs - proofs / FragmentParts.RANGES_PART - proofs / FragmentParts.CHECKED_PART - FileProofs.factsBytes(memory, nodes);
    }

    /* Writers other than Presto's do not truncate the least and the largest text of a column. */
    static int textBytes(Domain domain)
    {
        long bytes = domain.getValues().getValuesProcessor().<Long>transform(
                ranges -> ranges.getOrderedRanges().stream().flatMap(range -> Stream.of(range.getLowValue(), range.getHighValue())).mapToLong(
                        bound -> bound.orElse(null) instanceof Slice text ? text.length() : 0).sum(),
                discrete -> 0L,
                any -> 0L);
        return (int) Math.min(Integer.MAX_VALUE / 2, bytes);
    }

    /** Returns the cached values of a column, or those that {@code footer} reads; empty if they are not known. */
    Optional<Domain> of(FileColumn column, Supplier<Optional<Domain>> footer)
    {
        Optional<Domain> cached = domains.getIfPresent(column);
        if (cached != null) {
            return cached;
        }
        long began = epoch.current();
        Optional<Domain> read = footer.get();
        boolean unused = epoch.store(began, () -> domains.put(column, read));
        return read;
    }

    @Override
    public Stage stage()
    {
        return Stage.STATISTICS;
    }

    /** Drops the values of all files. */
    @Override
    public void invalidate(Scope scope)
    {
        epoch.invalidate(domains::invalidateAll);
    }
}
