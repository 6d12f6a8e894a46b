package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.ParquetDataSourceId;
import io.eyrie.footer.FooterTail;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** A data source whose end is read through a {@link FooterTail}. Closes nothing. */
final class TailParquetDataSource
        implements ParquetDataSource
{
    private final ParquetDataSource source;
    private final FooterTail tail;

    TailParquetDataSource(ParquetDataSource source, FooterTail tail)
    {
        this.source = requireNonNull(source, "source is null");
        this.tail = requireNonNull(tail, "tail is null");
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
        try {
            tail.readFully(position, buffer, bufferOffset, bufferLength);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
