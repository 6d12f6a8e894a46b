package io.eyrie.presto.footer;

import com.facebook.presto.orc.cache.OrcCacheConfig;
import com.facebook.presto.orc.metadata.OrcFileTail;
import com.facebook.presto.orc.metadata.RowGroupIndex;
import com.facebook.presto.parquet.cache.ParquetCacheConfig;
import com.facebook.presto.parquet.cache.ParquetFileMetadata;
import com.google.inject.Inject;
import io.airlift.slice.Slice;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.file.Scope;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterLimits;
import io.eyrie.footer.orc.CachedOrcFileTailSource;
import io.eyrie.footer.orc.KeptStripeFooter;
import io.eyrie.footer.orc.StripeCaches;
import io.eyrie.footer.parquet.FooterWeight;
import io.eyrie.footer.parquet.PageIndexCaches;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.weakref.jmx.Managed;
import org.weakref.jmx.Nested;

import java.util.List;
import java.util.stream.Stream;

import static io.airlift.units.DataSize.succinctBytes;

/** The caches of a catalog's footers, an MBean: {@code io.eyrie.presto.footer:type=FooterCaches,name=<catalog>}. Thread-safe. */
public final class FooterCaches
{
    // column indexes, and offset indexes, each have that part of what footers have, beside them
    private static final int INDEXES_OF_FOOTERS = 4;

    private final FooterCache<OrcFileTail> orcFileTails;
    private final FooterCache<KeptStripeFooter> orcStripeFooters;
    private final FooterCache<Slice> orcStripeStreams;
    private final FooterCache<List<RowGroupIndex>> orcRowGroupIndexes;
    private final FooterCache<ParquetFileMetadata> parquetFooters;
    private final FooterCache<ColumnIndex> parquetColumnIndexes;
    private final FooterCache<OffsetIndex> parquetOffsetIndexes;

    @Inject
    public FooterCaches(OrcCacheConfig orc, ParquetCacheConfig parquet)
    {
        boolean stripes = orc.isStripeMetadataCacheEnabled();
        orcFileTails = new FooterCache<>(
                FooterKind.ORC_FILE_TAIL,
                limits(orc.isFileTailCacheEnabled(), orc.getFileTailCacheSize(), orc.getFileTailCacheTtlSinceLastAccess()),
                CachedOrcFileTailSource::weight);
        orcStripeFooters = new FooterCache<>(
                FooterKind.ORC_STRIPE_FOOTER,
                limits(stripes, orc.getStripeFooterCacheSize(), orc.getStripeFooterCacheTtlSinceLastAccess()),
                KeptStripeFooter::weight);
        orcStripeStreams = new FooterCache<>(
                FooterKind.ORC_STRIPE_STREAM,
                limits(stripes, orc.getStripeStreamCacheSize(), orc.getStripeStreamCacheTtlSinceLastAccess()),
                Slice::getRetainedSize);
        orcRowGroupIndexes = new FooterCache<>(
                FooterKind.ORC_ROW_GROUP_INDEX,
                limits(orc.isRowGroupIndexCacheEnabled(), orc.getRowGroupIndexCacheSize(), orc.getRowGroupIndexCacheTtlSinceLastAccess()),
                StripeCaches::weight);
        parquetFooters = new FooterCache<>(
                FooterKind.PARQUET_FOOTER,
                limits(parquet.isMetadataCacheEnabled(), parquet.getMetadataCacheSize(), parquet.getMetadataCacheTtlSinceLastAccess()),
                FooterWeight::of);
        // with the footers: a reader has the indexes of none whose footer it has not
        FooterLimits indexes = limits(
                parquet.isMetadataCacheEnabled(),
                succinctBytes(parquet.getMetadataCacheSize().toBytes() / INDEXES_OF_FOOTERS),
                parquet.getMetadataCacheTtlSinceLastAccess());
        parquetColumnIndexes = new FooterCache<>(FooterKind.PARQUET_COLUMN_INDEX, indexes, PageIndexCaches::weight);
        parquetOffsetIndexes = new FooterCache<>(FooterKind.PARQUET_OFFSET_INDEX, indexes, PageIndexCaches::weight);
    }

    FooterCache<OrcFileTail> orcFileTails()
    {
        return orcFileTails;
    }

    FooterCache<KeptStripeFooter> orcStripeFooters()
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

    /** Drops what is kept in memory of a scope, in which {@code ""} stands for any. */
    public void invalidate(Scope scope)
    {
        Stream.of(orcFileTails, orcStripeFooters, orcStripeStreams, orcRowGroupIndexes, parquetFooters, parquetColumnIndexes, parquetOffsetIndexes)
                .forEach(
                        cache -> cache.invalidate(scope));
    }

    @Managed
    @Nested
    public FooterCounters getOrcFileTail()
    {
        return new FooterCounters(orcFileTails);
    }

    @Managed
    @Nested
    public FooterCounters getOrcStripeFooter()
    {
        return new FooterCounters(orcStripeFooters);
    }

    @Managed
    @Nested
    public FooterCounters getOrcStripeStream()
    {
        return new FooterCounters(orcStripeStreams);
    }

    @Managed
    @Nested
    public FooterCounters getOrcRowGroupIndex()
    {
        return new FooterCounters(orcRowGroupIndexes);
    }

    @Managed
    @Nested
    public FooterCounters getParquetFooter()
    {
        return new FooterCounters(parquetFooters);
    }

    @Managed
    @Nested
    public FooterCounters getParquetColumnIndex()
    {
        return new FooterCounters(parquetColumnIndexes);
    }

    @Managed
    @Nested
    public FooterCounters getParquetOffsetIndex()
    {
        return new FooterCounters(parquetOffsetIndexes);
    }

    private static FooterLimits limits(boolean enabled, DataSize size, Duration ttl)
    {
        return new FooterLimits(enabled, size.toBytes(), java.time.Duration.ofMillis(ttl.toMillis()));
    }
}
