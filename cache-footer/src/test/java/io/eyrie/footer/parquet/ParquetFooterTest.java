// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetCorruptionException;
import com.facebook.presto.parquet.cache.MetadataReader;
import com.facebook.presto.parquet.cache.ParquetFileMetadata;
import com.facebook.presto.parquet.cache.ParquetMetadataSource;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterLimits;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.RetainedBytes;
import io.eyrie.footer.TestingFooterFiles;
import org.apache.parquet.crypto.FileDecryptionProperties;
import org.apache.parquet.crypto.InternalFileDecryptor;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.footer.TestingFooterFiles.LIMITS;
import static io.eyrie.footer.TestingFooterFiles.file;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ParquetFooterTest
{
    private static final String PATH = "s3://bucket/file.parquet";

    private final BlobCache blobs = TestingFooterFiles.blobs();
    private final FooterStore store = new FooterStore(Optional.of(blobs), 0);
    private final FooterCache<ParquetFileMetadata> cache = cache(LIMITS);
    private Optional<FooterFile> current = Optional.empty();
    private final ParquetMetadataSource source = source(cache);

    @Test
    void footerIsParsedOnce()
            throws IOException
    {
        byte[] content = ParquetFiles.write(20, 3, 100, 1);
        ParquetFileMetadata cold = read(content, "one");
        TestingParquetDataSource warm = new TestingParquetDataSource(PATH, content);
        assertThat(read(source, warm, "one", content.length)).isSameAs(cold);
        assertThat(warm.reads()).isZero();
        assertSame(cold, uncached(content));
    }

    @Test
    void restartedWorkerParsesAndDoesNotFetch()
            throws IOException
    {
        byte[] content = ParquetFiles.write(300, 20, 10, 1);
        TestingParquetDataSource cold = new TestingParquetDataSource(PATH, content);
        read(source, cold, "one", content.length);
        assertThat(cold.reads()).as("a footer longer than the guess").isEqualTo(2);
        eventually("all is written", () -> blobs.stats().write().writes() >= 5 && blobs.stats().write().writtenBytes() >= uncachedBytes(content));

        TestingParquetDataSource restarted = new TestingParquetDataSource(PATH, content);
        ParquetFileMetadata footer = read(source(cache(LIMITS)), restarted, "one", content.length);
        assertThat(restarted.reads()).isZero();
        assertSame(footer, uncached(content));
    }

    @Test
    void overwrittenFileIsReadAnew()
            throws IOException
    {
        byte[] content = ParquetFiles.write(2, 1, 100, 1);
        byte[] other = ParquetFiles.write(2, 1, 100, 1000);
        assertThat(other).hasSameSizeAs(content);
        read(content, "one");
        assertSame(read(other, "two"), uncached(other));
    }

    @Test
    void corruptAndTruncatedTailsAreErrorsThatAreNotRemembered()
            throws IOException
    {
        byte[] content = ParquetFiles.write(2, 1, 100, 1);
        for (int length = content.length - 1; length > content.length - 100; length--) {
            byte[] truncated = Arrays.copyOf(content, length);
            assertThatThrownBy(() -> read(truncated, "cut")).isInstanceOf(ParquetCorruptionException.class);
        }
        byte[] corrupt = content.clone();
        Arrays.fill(corrupt, content.length - 60, content.length - 8, (byte) 0xff);
        assertThatThrownBy(() -> read(corrupt, "one")).isNotNull();
        assertThat(cache.stats().currentEntries()).isZero();
        assertThat(blobs.stats().write().writes()).isZero();
        assertSame(read(content, "one"), uncached(content));
    }

    @Test
    void storedBytesThatCannotBeParsedAreFetchedAgain()
            throws IOException
    {
        byte[] content = ParquetFiles.write(2, 1, 100, 1);
        FooterFile file = file(PATH, content.length, "one");
        FooterChunks poison = store.tail(file);
        poison.load(0, content.length, (position, buffer, offset, length) -> Arrays.fill(buffer, offset, offset + length, (byte) 0xff));
        poison.keep();
        eventually("the poison is written", () -> blobs.stats().write().writes() == 1);
        assertSame(read(content, "one"), uncached(content));
    }

    @Test
    void encryptedFooterWithoutKeysIsAnErrorAndLeavesNothing()
            throws IOException
    {
        byte[] content = ParquetFiles.write(2, 1, 100, 1);
        System.arraycopy("PARE".getBytes(US_ASCII), 0, content, content.length - 4, 4);
        assertThatThrownBy(() -> read(content, "one")).hasMessageContaining("fileDecryptionProperties cannot be null");
        assertThat(cache.stats().currentEntries()).isZero();
        assertThat(blobs.stats().write().writes()).isZero();
    }

    @Test
    void footersReadWithKeysAreNotKept()
            throws IOException
    {
        byte[] content = ParquetFiles.write(2, 1, 100, 1);
        FileDecryptionProperties keys = FileDecryptionProperties.builder()
                .withFooterKey("0123456789012345".getBytes(US_ASCII))
                .withPlaintextFilesAllowed()
                .build();
        current = Optional.of(file(PATH, content.length, "one"));
        source.getParquetMetadata(
                new TestingParquetDataSource(PATH, content),
                content.length,
                true,
                1000,
                Optional.of(new InternalFileDecryptor(keys)),
                false);
        assertThat(cache.stats().lookups()).isZero();
    }

    @Test
    void tenThousandColumnsAndAThousandRowGroupsAreBounded()
            throws IOException
    {
        FooterLimits limits = new FooterLimits(true, 1 << 20, LIMITS.ttl());
        FooterCache<ParquetFileMetadata> bounded = cache(limits);
        for (byte[] content : new byte[][] {ParquetFiles.write(10_000, 1, 2, 1), ParquetFiles.write(2, 1000, 2, 1)}) {
            for (int i = 0; i < 2; i++) {
                ParquetFileMetadata footer = read(source(bounded), new TestingParquetDataSource(PATH, content), "one", content.length);
                assertSame(footer, uncached(content));
            }
        }
        assertThat(bounded.stats().currentBytes()).isLessThanOrEqualTo(limits.bytes());
    }

    @Test
    void weightIsWhatIsRetained()
            throws IOException
    {
        int[][] shapes = {{1, 1}, {10, 10}, {200, 5}, {1000, 10}};
        for (int[] shape : shapes) {
            byte[] content = ParquetFiles.write(shape[0], shape[1], 10, 1);
            ParquetFileMetadata footer = uncached(content);
            double measured = RetainedBytes.of(footer);
            assertThat(FooterWeight.of(footer) / measured).as(shape[0] + " columns, " + shape[1] + " row groups: " + (long) measured).isBetween(0.7,
                    1.5);
        }
    }

    private FooterCache<ParquetFileMetadata> cache(FooterLimits limits)
    {
        return new FooterCache<>(FooterKind.PARQUET_FOOTER, limits, FooterWeight::of);
    }

    private ParquetMetadataSource source(FooterCache<ParquetFileMetadata> footers)
    {
        return new CachedParquetMetadataSource(new MetadataReader(), () -> current, footers, new PageIndexCaches(
                new FooterCache<>(FooterKind.PARQUET_COLUMN_INDEX, LIMITS, PageIndexCaches::weight),
                new FooterCache<>(FooterKind.PARQUET_OFFSET_INDEX, LIMITS, PageIndexCaches::weight),
                store));
    }

    private ParquetFileMetadata read(byte[] content, String etag)
            throws IOException
    {
        return read(source, new TestingParquetDataSource(PATH, content), etag, content.length);
    }

    private ParquetFileMetadata read(ParquetMetadataSource from, TestingParquetDataSource data, String etag, int length)
            throws IOException
    {
        current = Optional.of(file(PATH, length, etag));
        return from.getParquetMetadata(data, length, true, 1000, Optional.empty(), false);
    }

    static ParquetFileMetadata uncached(byte[] content)
            throws IOException
    {
        return new MetadataReader().getParquetMetadata(
                new TestingParquetDataSource(PATH, content),
                content.length,
                true,
                1000,
                Optional.empty(),
                false);
    }

    private static long uncachedBytes(byte[] content)
    {
        try {
            return uncached(content).getMetadataSize();
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void assertSame(ParquetFileMetadata found, ParquetFileMetadata expected)
    {
        assertThat(found.getMetadataSize()).isEqualTo(expected.getMetadataSize());
        assertThat(found.getParquetMetadata().getFileMetaData().getSchema()).isEqualTo(expected.getParquetMetadata().getFileMetaData().getSchema());
        assertThat(columns(found)).isEqualTo(columns(expected));
    }

    private static List<String> columns(ParquetFileMetadata footer)
    {
        return footer.getParquetMetadata()
                .getBlocks()
                .stream()
                .flatMap(block -> block.getColumns().stream())
                .map(column -> column + " " + column.getStatistics() + " " + column.getFirstDataPageOffset() + " " + column.getTotalSize())
                .toList();
    }
}
