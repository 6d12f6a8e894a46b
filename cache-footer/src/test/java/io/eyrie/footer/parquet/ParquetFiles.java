package io.eyrie.footer.parquet;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.parquet.writer.ParquetSchemaConverter;
import com.facebook.presto.parquet.writer.ParquetWriter;
import com.facebook.presto.parquet.writer.ParquetWriterOptions;
import io.airlift.units.DataSize;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static io.airlift.units.DataSize.Unit.BYTE;

/** Parquet files of bigint columns, in memory. */
public final class ParquetFiles
{
    private ParquetFiles()
    {}

    public static byte[] write(int columns, int rowGroups, int rowsPerGroup, long first)
            throws IOException
    {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Type> types = Collections.nCopies(columns, BIGINT);
        List<String> names = IntStream.range(0, columns).mapToObj(i -> "column_" + i).toList();
        ParquetSchemaConverter schema = new ParquetSchemaConverter(types, names);
        try (ParquetWriter writer = new ParquetWriter(
                out,
                schema.getMessageType(),
                schema.getPrimitiveTypes(),
                names,
                types,
                // a row group a page
                ParquetWriterOptions.builder().setMaxBlockSize(new DataSize(1, BYTE)).build(),
                CompressionCodecName.UNCOMPRESSED.getHadoopCompressionCodecClassName())) {
            for (int group = 0; group < rowGroups; group++) {
                BlockBuilder builder = BIGINT.createBlockBuilder(null, rowsPerGroup);
                for (int row = 0; row < rowsPerGroup; row++) {
                    BIGINT.writeLong(builder, first + (long) group * rowsPerGroup + row);
                }
                Block[] blocks = new Block[columns];
                Arrays.fill(blocks, builder.build());
                writer.write(new Page(rowsPerGroup, blocks));
            }
        }
        return out.toByteArray();
    }
}
