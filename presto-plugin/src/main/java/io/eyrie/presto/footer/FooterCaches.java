// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.footer;

import com.facebook.presto.orc.cache.OrcCacheConfig;
import com.facebook.presto.orc.metadata.RowGroupIndex;
import com.facebook.presto.parquet.cache.ParquetCacheConfig;
import com.facebook.presto.parquet.cache.ParquetFileMetadata;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.airlift.units.Duration;
import io.eyrie.cache.file.Scope;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterLimits;
import io.eyrie.footer.FooterStats;
import io.eyrie.footer.orc.CachedFileTail;
import io.eyrie.footer.orc.CachedStripeFooter;
import io.eyrie.footer.orc.StripeCaches;
import io.eyrie.footer.parquet.FooterWeight;
import io.eyrie.footer.parquet.PageIndexCaches;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The footer caches of a catalog. Thread-safe. */
public final class FooterCaches
        implements Steerable
{
    private final FooterCache<CachedFileTail> orcFileTails;
    private final FooterCache<CachedStripeFooter> orcStripeFooters;
    private final FooterCache<Slice> orcStripeStreams;
    private final FooterCache<List<RowGroupIndex>> orcRowGroupIndexes;
    private final FooterCache<ParquetFileMetadata> parquetFooters;
    private final FooterCache<ColumnIndex> parquetColumnIndexes;
    private final FooterCache<OffsetIndex> parquetOffsetIndexes;
    private final Map<FooterKind, FooterCache<?>> all;

    @Inject
    public FooterCaches(OrcCacheConfig orc, ParquetCacheConfig parquet, MemoryPlan memory)
    {
        boolean stripes = orc.isStripeMetadataCacheEnabled();
        orcFileTails = new FooterCache<>(
                FooterKind.ORC_FILE_TAIL,
                limits(orc.isFileTailCacheEnabled(), memory.bytes(MemoryLayer.ORC_FILE_TAILS), orc.getFileTailCacheTtlSinceLastAccess()),
                CachedFileTail::weight);
        orcStripeFooters = new FooterCache<>(
                FooterKind.ORC_STRIPE_FOOTER,
                limits(stripes, memory.bytes(MemoryLayer.ORC_STRIPE_FOOTERS), orc.getStripeFooterCacheTtlSinceLastAccess()),
                CachedStripeFooter::weight);
        orcStripeStreams = new FooterCache<>(
                FooterKind.ORC_STRIPE_STREAM,
                limits(stripes, memory.bytes(MemoryLayer.ORC_STRIPE_STREAMS), orc.getStripeStreamCacheTtlSinceLastAccess()),
                Slice::getRetainedSize);
        orcRowGroupIndexes = new FooterCache<>(
                FooterKind.ORC_ROW_GROUP_INDEX,
                limits(orc.isRowGroupIndexCacheEnabled(), memory.bytes(MemoryLayer.ORC_ROW_GROUP_INDEXES), orc
                        .getRowGroupIndexCacheTtlSinceLastAccess()),
                StripeCaches::weight);
        parquetFooters = new FooterCache<>(
                FooterKind.PARQUET_FOOTER,
                limits(parquet.isMetadataCacheEnabled(), memory.bytes(MemoryLayer.PARQUET_FOOTERS), parquet.getMetadataCacheTtlSinceLastAccess()),
                FooterWeight::of);
        // enabled with the footers, because a reader needs a file's footer before its indexes; each kind gets half of the memory
        FooterLimits indexes = limits(
                parquet.isMetadataCacheEnabled(),
                memory.bytes(MemoryLayer.PARQUET_INDEXES) / 2,
                parquet.getMetadataCacheTtlSinceLastAccess());
        parquetColumnIndexes = new FooterCache<>(FooterKind.PARQUET_COLUMN_INDEX, indexes, PageIndexCaches::weight);
        parquetOffsetIndexes = new FooterCache<>(FooterKind.PARQUET_OFFSET_INDEX, indexes, PageIndexCaches::weight);
        all = Map.of(
                FooterKind.ORC_FILE_TAIL, orcFileTails,
                FooterKind.ORC_STRIPE_FOOTER, orcStripeFooters,
                FooterKind.ORC_STRIPE_STREAM, orcStripeStreams,
                FooterKind.ORC_ROW_GROUP_INDEX, orcRowGroupIndexes,
                FooterKind.PARQUET_FOOTER, parquetFooters,
                FooterKind.PARQUET_COLUMN_INDEX, parquetColumnIndexes,
                FooterKind.PARQUET_OFFSET_INDEX, parquetOffsetIndexes);
    }

    /** Returns the counters of each kind. */
    public Map<FooterKind, FooterStats> stats()
    {
        Map<FooterKind, FooterStats> stats = new EnumMap<>(FooterKind.class);
        all.forEach((kind, cache) -> stats.put(kind, cache.stats()));
        return stats;
    }

    Map<FooterKind, FooterCache<?>> all()
    {
        return all;
    }

    FooterCache<CachedFileTail> orcFileTails()
    {
        return orcFileTails;
    }

    FooterCache<CachedStripeFooter> orcStripeFooters()
    {
        return orcStripeFooters;
    }

    FooterCache<Slice> orcStripeStreams()
    {
        return orcStripeStreams;
    }

    FooterCache<List<RowGroupIndex>> orcRowGroupIndexes()
    {
        return orcRowGroupIndexes;
    }

    FooterCache<ParquetFileMetadata> parquetFooters()
    {
        return parquetFooters;
    }

    FooterCache<ColumnIndex> parquetColumnIndexes()
    {
        return parquetColumnIndexes;
    }

    FooterCache<OffsetIndex> parquetOffsetIndexes()
    {
        return parquetOffsetIndexes;
    }

    @Override
    public Stage stage()
    {
        return Stage.FOOTERS;
    }

    /** Drops the cached entries of a scope from memory; {@code ""} in the scope matches any name. */
    @Override
    public void invalidate(Scope scope)
    {
        all.values().forEach(cache -> cache.invalidate(scope));
    }

    private static FooterLimits limits(boolean enabled, long bytes, Duration ttl)
    {
        return new FooterLimits(enabled, bytes, java.time.Duration.ofMillis(ttl.toMillis()));
    }
}
