// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.parquet.writer.ParquetSchemaConverter;
import com.facebook.presto.parquet.writer.ParquetWriter;
import com.facebook.presto.parquet.writer.ParquetWriterOptions;
import io.airlift.units.DataSize;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.DelegatingPositionOutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static io.airlift.units.DataSize.Unit.BYTE;

/** Creates Parquet files, in memory. */
public final class ParquetFiles
{
    private ParquetFiles()
    {}

    /** Creates a file of bigint columns with Presto's writer. */
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
                // one row group per page
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

    /**
     * Creates a file with column and offset indexes, which Presto's writer does not write: {@code id bigint}, starting at {@code first}, and
     * {@code name varchar}, which is {@code "name of "} and the id, and null in every tenth row; 100 rows per page, about 16 KiB per row group.
     */
    public static byte[] writeIndexed(int rows, long first)
            throws IOException
    {
        MemoryFile file = new MemoryFile();
        MessageType schema = new MessageType(
                "indexed",
                Types.optional(PrimitiveTypeName.INT64).named("id"),
                Types.optional(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.stringType()).named("name"));
        try (org.apache.parquet.hadoop.ParquetWriter<Group> writer = ExampleParquetWriter.builder(file)
                .withType(schema)
                .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                .withDictionaryEncoding(false)
                .withPageWriteChecksumEnabled(false)
                .withPageRowCountLimit(100)
                .withRowGroupSize(16L << 10)
                .build()) {
            for (long id = first; id < first + rows; id++) {
                Group row = new SimpleGroup(schema).append("id", id);
                writer.write(id % 10 == 0 ? row : row.append("name", "name of " + id));
            }
        }
        return file.out.toByteArray();
    }

    private static final class MemoryFile
            implements OutputFile
    {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        @Override
        public PositionOutputStream create(long blockSizeHint)
        {
            return new DelegatingPositionOutputStream(out) {
                @Override
                public long getPos()
                {
                    return out.size();
                }
            };
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSizeHint)
        {
            return create(blockSizeHint);
        }

        @Override
        public boolean supportsBlockSize()
        {
            return false;
        }

        @Override
        public long defaultBlockSize()
        {
            return 0;
        }
    }
}
