// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.AbstractParquetDataSource;
import com.facebook.presto.parquet.ParquetDataSourceId;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** An in-memory file that counts its reads. */
final class TestingParquetDataSource
        extends AbstractParquetDataSource
{
    private final byte[] content;
    private int reads;

    TestingParquetDataSource(String path, byte[] content)
    {
        super(new ParquetDataSourceId(path));
        this.content = content;
    }

    int reads()
    {
        return reads;
    }

    @Override
    protected void readInternal(long position, byte[] buffer, int offset, int length)
    {
        reads++;
        System.arraycopy(content, (int) position, buffer, offset, length);
    }

    @Override
    public Optional<ColumnIndex> readColumnIndex(ColumnChunkMetaData column)
            throws IOException
    {
        IndexReference index = column.getColumnIndexReference();
        return index == null
                ? Optional.empty()
                : Optional.of(ParquetMetadataConverter.fromParquetColumnIndex(
                        column.getPrimitiveType(),
                        Util.readColumnIndex(bytes(index))));
    }

    @Override
    public Optional<OffsetIndex> readOffsetIndex(ColumnChunkMetaData column)
            throws IOException
    {
        IndexReference index = column.getOffsetIndexReference();
        return index == null ? Optional.empty() : Optional.of(ParquetMetadataConverter.fromParquetOffsetIndex(Util.readOffsetIndex(bytes(index))));
    }

    private InputStream bytes(IndexReference index)
    {
        byte[] bytes = new byte[index.getLength()];
        readFully(index.getOffset(), bytes);
        return new ByteArrayInputStream(bytes);
    }
}
