// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.footer;

import com.facebook.presto.common.block.Block;
import com.facebook.presto.memory.context.AggregatedMemoryContext;
import com.facebook.presto.parquet.AbstractParquetDataSource;
import com.facebook.presto.parquet.Field;
import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.ParquetDataSourceId;
import com.facebook.presto.parquet.cache.CachingParquetMetadataSource;
import com.facebook.presto.parquet.cache.MetadataReader;
import com.facebook.presto.parquet.cache.ParquetFileMetadata;
import com.facebook.presto.parquet.cache.ParquetMetadataSource;
import com.facebook.presto.parquet.predicate.Predicate;
import com.facebook.presto.parquet.reader.ParquetReader;
import com.google.common.cache.CacheBuilder;
import io.airlift.units.DataSize;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.RangeReader;
import io.eyrie.footer.parquet.CachedParquetMetadataSource;
import io.eyrie.footer.parquet.FooterWeight;
import io.eyrie.footer.parquet.PageIndexCaches;
import io.eyrie.footer.parquet.ParquetFiles;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.schema.MessageType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.parquet.ParquetTypeUtils.getColumnIO;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static org.apache.parquet.io.ColumnIOConverter.constructField;

/** Parquet. */
final class WideParquet
        implements WideFormat
{
    @Override
    public String title()
    {
        return "parquet";
    }

    @Override
    public byte[] write(int columns, int groups, int rowsPerGroup)
            throws IOException
    {
        return ParquetFiles.write(columns, groups, rowsPerGroup, 1);
    }

    @Override
    public OneColumn ours(FooterFile file, FooterStore store)
    {
        FooterCache<ParquetFileMetadata> footers = new FooterCache<>(FooterKind.PARQUET_FOOTER, Limits.OURS, FooterWeight::of);
        return reader(new CachedParquetMetadataSource(new MetadataReader(), () -> Optional.of(file), footers, new PageIndexCaches(
                new FooterCache<>(FooterKind.PARQUET_COLUMN_INDEX, Limits.OURS, PageIndexCaches::weight),
                new FooterCache<>(FooterKind.PARQUET_OFFSET_INDEX, Limits.OURS, PageIndexCaches::weight),
                store)));
    }

    @Override
    public OneColumn stock()
    {
        return reader(new CachingParquetMetadataSource(
                CacheBuilder.newBuilder()
                        .maximumWeight(CACHE_BYTES)
                        .weigher((ParquetDataSourceId id, ParquetFileMetadata footer) -> footer.getMetadataSize())
                        .recordStats()
                        .build(),
                new MetadataReader()));
    }

    @Override
    public OneColumn none()
    {
        return reader(new MetadataReader());
    }

    private static OneColumn reader(ParquetMetadataSource footers)
    {
        return (bytes, lengthBytes) -> {
            ParquetDataSource source = source(bytes);
            ParquetMetadata footer = footers.getParquetMetadata(source, lengthBytes, true, 1, Optional.empty(), false).getParquetMetadata();
            MessageType schema = footer.getFileMetaData().getSchema();
            MessageType requested = new MessageType(schema.getName(), schema.getFields().get(COLUMN));
            List<BlockMetaData> groups = footer.getBlocks();
            MessageColumnIO columns = getColumnIO(schema, requested);
            Field field = constructField(BIGINT, columns.getChild(0)).orElseThrow();
            try (ParquetReader reader = new ParquetReader(
                    columns,
                    groups,
                    Optional.empty(),
                    source,
                    AggregatedMemoryContext.newSimpleAggregatedMemoryContext(),
                    new DataSize(16, MEGABYTE),
                    true,
                    false,
                    Predicate.TRUE,
                    new ArrayList<ColumnIndexStore>(Collections.nCopies(groups.size(), null)),
                    false,
                    Optional.empty())) {
                return sum(reader, field);
            }
        };
    }

    private static long sum(ParquetReader reader, Field field)
            throws IOException
    {
        long sum = 0;
        for (int rows = reader.nextBatch(); rows > 0; rows = reader.nextBatch()) {
            Block block = reader.readBlock(field);
            for (int i = 0; i < rows; i++) {
                sum += BIGINT.getLong(block, i);
            }
        }
        return sum;
    }

    private static ParquetDataSource source(RangeReader bytes)
    {
        return new AbstractParquetDataSource(new ParquetDataSourceId(PATH)) {
            @Override
            protected void readInternal(long position, byte[] buffer, int offset, int length)
            {
                try {
                    bytes.readFully(position, buffer, offset, length);
                }
                catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public Optional<ColumnIndex> readColumnIndex(ColumnChunkMetaData column)
            {
                throw new UnsupportedOperationException();
            }

            @Override
            public Optional<OffsetIndex> readOffsetIndex(ColumnChunkMetaData column)
            {
                throw new UnsupportedOperationException();
            }
        };
    }
}
