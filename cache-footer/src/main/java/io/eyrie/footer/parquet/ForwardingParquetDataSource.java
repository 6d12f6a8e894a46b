// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.ParquetDataSourceId;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;

import java.io.IOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Forwards all calls to another data source. Closes nothing. */
abstract class ForwardingParquetDataSource
        implements ParquetDataSource
{
    private final ParquetDataSource source;

    ForwardingParquetDataSource(ParquetDataSource source)
    {
        this.source = requireNonNull(source, "source is null");
    }

    @Override
    public ParquetDataSourceId getId()
    {
        return source.getId();
    }

    @Override
    public long getReadBytes()
    {
        return source.getReadBytes();
    }

    @Override
    public long getReadTimeNanos()
    {
        return source.getReadTimeNanos();
    }

    @Override
    public void readFully(long position, byte[] buffer)
    {
        readFully(position, buffer, 0, buffer.length);
    }

    @Override
    public void readFully(long position, byte[] buffer, int bufferOffset, int bufferLength)
    {
        source.readFully(position, buffer, bufferOffset, bufferLength);
    }

    @Override
    public Optional<ColumnIndex> readColumnIndex(ColumnChunkMetaData column)
            throws IOException
    {
        return source.readColumnIndex(column);
    }

    @Override
    public Optional<OffsetIndex> readOffsetIndex(ColumnChunkMetaData column)
            throws IOException
    {
        return source.readOffsetIndex(column);
    }
}
