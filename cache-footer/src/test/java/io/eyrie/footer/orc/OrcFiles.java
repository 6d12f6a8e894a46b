// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.io.OutputStreamDataSink;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.orc.DefaultOrcWriterFlushPolicy;
import com.facebook.presto.orc.DwrfWriterEncryption;
import com.facebook.presto.orc.NoOpOrcWriterStats;
import com.facebook.presto.orc.NoopOrcAggregatedMemoryContext;
import com.facebook.presto.orc.OrcBatchRecordReader;
import com.facebook.presto.orc.OrcEncoding;
import com.facebook.presto.orc.OrcPredicate;
import com.facebook.presto.orc.OrcReader;
import com.facebook.presto.orc.OrcWriteValidation.OrcWriteValidationMode;
import com.facebook.presto.orc.OrcWriter;
import com.facebook.presto.orc.OrcWriterOptions;
import com.facebook.presto.orc.WriterEncryptionGroup;
import com.facebook.presto.orc.metadata.CompressionKind;
import com.facebook.presto.orc.metadata.KeyProvider;
import org.joda.time.DateTimeZone;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;

/** Creates ORC and DWRF files of bigint columns, in memory. */
public final class OrcFiles
{
    private OrcFiles()
    {}

    public static byte[] write(OrcEncoding encoding, int columns, int stripes, int rowsPerStripe, long seed)
            throws IOException
    {
        return write(encoding, columns, stripes, rowsPerStripe, seed, Optional.empty());
    }

    /** Creates a DWRF file whose first column is encrypted. */
    static byte[] writeEncrypted(int columns, int stripes, int rowsPerStripe, long seed)
            throws IOException
    {
        DwrfWriterEncryption encryption = new DwrfWriterEncryption(
                KeyProvider.CRYPTO_SERVICE,
                List.of(new WriterEncryptionGroup(List.of(1), TestingEncryption.KEY)));
        return write(OrcEncoding.DWRF, columns, stripes, rowsPerStripe, seed, Optional.of(encryption));
    }

    /** Returns the sum of a bigint column. */
    public static long sum(OrcReader reader, int column)
            throws IOException
    {
        long sum = 0;
        try (OrcBatchRecordReader records = reader.createBatchRecordReader(
                Map.of(column, BIGINT),
                OrcPredicate.TRUE,
                DateTimeZone.UTC,
                NoopOrcAggregatedMemoryContext.NOOP_ORC_AGGREGATED_MEMORY_CONTEXT,
                1024)) {
            for (int rows = records.nextBatch(); rows > 0; rows = records.nextBatch()) {
                Block block = records.readBlock(column);
                for (int i = 0; i < rows; i++) {
                    sum += BIGINT.getLong(block, i);
                }
            }
        }
        return sum;
    }

    private static byte[] write(
            OrcEncoding encoding,
            int columns,
            int stripes,
            int rowsPerStripe,
            long seed,
            Optional<DwrfWriterEncryption> encryption)
            throws IOException
    {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Type> types = Collections.nCopies(columns, BIGINT);
        OrcWriterOptions options = OrcWriterOptions.builder()
                .withFlushPolicy(DefaultOrcWriterFlushPolicy.builder().withStripeMaxRowCount(rowsPerStripe).build())
                .withRowGroupMaxRowCount(Math.max(1, rowsPerStripe / 3))
                .build();
        Random random = new Random(seed);
        try (OrcWriter writer = new OrcWriter(
                new OutputStreamDataSink(out),
                IntStream.range(0, columns).mapToObj(i -> "column_" + i).toList(),
                types,
                encoding,
                CompressionKind.ZLIB,
                encryption,
                TestingEncryption.PROVIDER,
                options,
                Map.of(),
                DateTimeZone.UTC,
                false,
                OrcWriteValidationMode.BOTH,
                NoOpOrcWriterStats.NOOP_WRITER_STATS)) {
            for (int stripe = 0; stripe < stripes; stripe++) {
                BlockBuilder builder = BIGINT.createBlockBuilder(null, rowsPerStripe);
                for (int row = 0; row < rowsPerStripe; row++) {
                    BIGINT.writeLong(builder, random.nextLong());
                }
                Block[] blocks = new Block[columns];
                Arrays.fill(blocks, builder.build());
                writer.write(new Page(rowsPerStripe, blocks));
            }
        }
        return out.toByteArray();
    }
}
