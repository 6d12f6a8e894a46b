// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.cache.ParquetFileMetadata;
import org.apache.parquet.hadoop.metadata.BlockMetaData;

/** Estimates the memory that a parsed Parquet footer retains. */
public final class FooterWeight
{
    /* Estimates from the most numerous parts; the test compares them with measured footers. */
    private static final int COLUMN_CHUNK_BYTES = 120;
    private static final int SCHEMA_COLUMN_BYTES = 200;
    private static final int FOOTER_BYTES = 1200;

    private FooterWeight()
    {}

    public static long of(ParquetFileMetadata footer)
    {
        long chunks = footer.getParquetMetadata().getBlocks().stream().mapToLong(FooterWeight::columns).sum();
        int columns = footer.getParquetMetadata().getFileMetaData().getSchema().getPaths().size();
        // the values of statistics are copied out of the footer's bytes
        return FOOTER_BYTES + footer.getMetadataSize() + chunks * COLUMN_CHUNK_BYTES + (long) columns * SCHEMA_COLUMN_BYTES;
    }

    private static long columns(BlockMetaData block)
    {
        return block.getColumns().size();
    }
}
