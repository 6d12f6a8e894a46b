// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetDataSource;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** A data source that returns column and offset indexes from memory, from the store, or from the file. */
final class IndexedParquetDataSource
        extends ForwardingParquetDataSource
{
    private final FooterFile file;
    private final PageIndexCaches caches;

    private interface Parser<V>
    {
        V parse(InputStream bytes)
                throws IOException;
    }

    IndexedParquetDataSource(ParquetDataSource source, FooterFile file, PageIndexCaches caches)
    {
        super(source);
        this.file = requireNonNull(file, "file is null");
        this.caches = requireNonNull(caches, "caches is null");
    }

    @Override
    public Optional<ColumnIndex> readColumnIndex(ColumnChunkMetaData column)
            throws IOException
    {
        return isCached(caches.columnIndexes(), column.getColumnIndexReference())
                ? Optional.of(get(
                        caches.columnIndexes(),
                        column.getColumnIndexReference(),
                        bytes -> ParquetMetadataConverter.fromParquetColumnIndex(column.getPrimitiveType(), Util.readColumnIndex(bytes))))
                : super.readColumnIndex(column);
    }

    @Override
    public Optional<OffsetIndex> readOffsetIndex(ColumnChunkMetaData column)
            throws IOException
    {
        return isCached(caches.offsetIndexes(), column.getOffsetIndexReference())
                ? Optional.of(get(
                        caches.offsetIndexes(),
                        column.getOffsetIndexReference(),
                        bytes -> ParquetMetadataConverter.fromParquetOffsetIndex(Util.readOffsetIndex(bytes))))
                : super.readOffsetIndex(column);
    }

    private boolean isCached(FooterCache<?> cache, @Nullable IndexReference index)
    {
        return index != null && cache.serves(file) && caches.store().tail(file).contains(index.getOffset(), index.getLength());
    }

    private <V> V get(FooterCache<V> cache, IndexReference index, Parser<V> parser)
            throws IOException
    {
        return cache.get(new FooterKey(file.version(), index.getOffset(), ""), file, () -> {
            // in the tail's chunks: the indexes of all columns lie next to the footer
            FooterChunks chunks = caches.store().tail(file);
            try {
                return parse(index, parser, chunks);
            }
            catch (IOException | RuntimeException e) {
                Optional<FooterChunks> fresh = chunks.forget();
                if (fresh.isEmpty()) {
                    throw e;
                }
                return parse(index, parser, fresh.get());
            }
        });
    }

    private <V> V parse(IndexReference index, Parser<V> parser, FooterChunks chunks)
            throws IOException
    {
        byte[] bytes = new byte[index.getLength()];
        chunks.load(index.getOffset(), bytes.length, this::readFully);
        chunks.copy(index.getOffset(), bytes, 0, bytes.length);
        V parsed = parser.parse(new ByteArrayInputStream(bytes));
        chunks.keep();
        return parsed;
    }
}
