package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.AbstractParquetDataSource;
import com.facebook.presto.parquet.ParquetDataSourceId;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;

import java.util.Optional;

/** A file in memory that counts what was asked of it. */
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
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<OffsetIndex> readOffsetIndex(ColumnChunkMetaData column)
    {
        throw new UnsupportedOperationException();
    }
}
