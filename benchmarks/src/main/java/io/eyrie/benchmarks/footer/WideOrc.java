// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.footer;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.orc.AbstractOrcDataSource;
import com.facebook.presto.orc.CachingStripeMetadataSource;
import com.facebook.presto.orc.DwrfEncryptionProvider;
import com.facebook.presto.orc.DwrfKeyProvider;
import com.facebook.presto.orc.NoopOrcAggregatedMemoryContext;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcDataSourceId;
import com.facebook.presto.orc.OrcEncoding;
import com.facebook.presto.orc.OrcReader;
import com.facebook.presto.orc.OrcReaderOptions;
import com.facebook.presto.orc.StorageStripeMetadataSource;
import com.facebook.presto.orc.StripeMetadataSource.CacheableRowGroupIndices;
import com.facebook.presto.orc.StripeMetadataSource.CacheableSlice;
import com.facebook.presto.orc.StripeMetadataSourceFactory;
import com.facebook.presto.orc.StripeReader.StripeId;
import com.facebook.presto.orc.StripeReader.StripeStreamId;
import com.facebook.presto.orc.cache.CachingOrcFileTailSource;
import com.facebook.presto.orc.cache.OrcFileTailSource;
import com.facebook.presto.orc.cache.StorageOrcFileTailSource;
import com.facebook.presto.orc.metadata.OrcFileTail;
import com.facebook.presto.orc.metadata.RowGroupIndex;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.Weigher;
import io.airlift.slice.Slice;
import io.airlift.units.DataSize;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.OpenedFiles;
import io.eyrie.footer.RangeReader;
import io.eyrie.footer.orc.CachedFileTail;
import io.eyrie.footer.orc.CachedOrcFileTailSource;
import io.eyrie.footer.orc.CachedStripeFooter;
import io.eyrie.footer.orc.CachedStripeMetadataSourceFactory;
import io.eyrie.footer.orc.OrcFiles;
import io.eyrie.footer.orc.StripeCaches;

import java.io.IOException;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.BYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.lang.Math.toIntExact;

/** ORC. The file's stripes represent stripes of the usual size, so Presto's treatment of tiny stripes, which reads many at once, is disabled. */
final class WideOrc
        implements WideFormat
{
    @Override
    public String title()
    {
        return "orc";
    }

    @Override
    public byte[] write(int columns, int groups, int rowsPerGroup)
            throws IOException
    {
        return OrcFiles.write(OrcEncoding.ORC, columns, groups, rowsPerGroup, 1);
    }

    @Override
    public OneColumn ours(FooterFile file, FooterStore store)
    {
        OpenedFiles files = () -> Optional.of(file);
        FooterCache<CachedFileTail> tails = new FooterCache<>(FooterKind.ORC_FILE_TAIL, Limits.OURS, CachedFileTail::weight);
        StripeCaches stripes = new StripeCaches(
                new FooterCache<>(FooterKind.ORC_STRIPE_FOOTER, Limits.OURS, CachedStripeFooter::weight),
                new FooterCache<>(FooterKind.ORC_STRIPE_STREAM, Limits.OURS, Slice::getRetainedSize),
                new FooterCache<>(FooterKind.ORC_ROW_GROUP_INDEX, Limits.OURS, StripeCaches::weight),
                store);
        return reader(new CachedOrcFileTailSource(new StorageOrcFileTailSource(), files, tails, store), new CachedStripeMetadataSourceFactory(files,
                stripes));
    }

    @Override
    public OneColumn stock()
    {
        Cache<OrcDataSourceId, OrcFileTail> tails = cache((id, tail) -> tail.getFooterSize() + tail.getMetadataSize());
        Cache<StripeId, CacheableSlice> footers = cache((id, slice) -> toIntExact(slice.getSlice().getRetainedSize()));
        Cache<StripeStreamId, CacheableSlice> streams = cache((id, slice) -> toIntExact(slice.getSlice().getRetainedSize()));
        Cache<StripeStreamId, CacheableRowGroupIndices> indexes = cache((id, index) -> toIntExact(index.getRowGroupIndices()
                .stream()
                .mapToLong(RowGroupIndex::getRetainedSizeInBytes)
                .sum()));
        return reader(
                new CachingOrcFileTailSource(new StorageOrcFileTailSource(), tails),
                StripeMetadataSourceFactory.of(new CachingStripeMetadataSource(
                        new StorageStripeMetadataSource(),
                        footers,
                        streams,
                        Optional.of(indexes))));
    }

    @Override
    public OneColumn none()
    {
        return reader(new StorageOrcFileTailSource(), StripeMetadataSourceFactory.of(new StorageStripeMetadataSource()));
    }

    private static <K, V> Cache<K, V> cache(Weigher<K, V> weigher)
    {
        return CacheBuilder.newBuilder().maximumWeight(CACHE_BYTES).weigher(weigher).recordStats().build();
    }

    private static OneColumn reader(OrcFileTailSource tails, StripeMetadataSourceFactory stripes)
    {
        return (bytes, lengthBytes) -> {
            OrcReader reader = new OrcReader(
                    source(bytes, lengthBytes),
                    OrcEncoding.ORC,
                    tails,
                    stripes,
                    NoopOrcAggregatedMemoryContext.NOOP_ORC_AGGREGATED_MEMORY_CONTEXT,
                    OrcReaderOptions.builder()
                            .withMaxMergeDistance(new DataSize(1, MEGABYTE))
                            .withTinyStripeThreshold(new DataSize(1, BYTE))
                            .withMaxBlockSize(new DataSize(16, MEGABYTE))
                            .build(),
                    true,
                    DwrfEncryptionProvider.NO_ENCRYPTION,
                    DwrfKeyProvider.EMPTY,
                    new RuntimeStats(),
                    1);
            return OrcFiles.sum(reader, COLUMN);
        };
    }

    private static OrcDataSource source(RangeReader bytes, long lengthBytes)
    {
        return new AbstractOrcDataSource(
                new OrcDataSourceId(PATH),
                lengthBytes,
                new DataSize(1, MEGABYTE),
                new DataSize(8, MEGABYTE),
                new DataSize(8, MEGABYTE),
                true) {
            @Override
            protected void readInternal(long position, byte[] buffer, int offset, int length)
                    throws IOException
            {
                bytes.readFully(position, buffer, offset, length);
            }
        };
    }
}
