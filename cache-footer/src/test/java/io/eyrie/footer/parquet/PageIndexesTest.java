// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.parquet.ParquetDataSource;
import com.facebook.presto.parquet.ParquetTypeUtils;
import com.facebook.presto.parquet.cache.MetadataReader;
import com.facebook.presto.parquet.cache.ParquetFileMetadata;
import com.facebook.presto.parquet.predicate.TupleDomainParquetPredicate;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.footer.ColumnRange;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.OpenedFiles;
import io.eyrie.footer.RetainedBytes;
import io.eyrie.footer.TestingFooterFiles;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.ColumnIndexStore;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.footer.TestingFooterFiles.LIMITS;
import static io.eyrie.footer.TestingFooterFiles.file;
import static org.assertj.core.api.Assertions.assertThat;

final class PageIndexesTest
{
    private static final String PATH = "s3://bucket/indexed.parquet";
    private static final List<ColumnPath> COLUMNS = List.of(ColumnPath.get("id"), ColumnPath.get("name"));

    private final BlobCache blobs = TestingFooterFiles.blobs();

    /** The caches of one process. */
    private final class Worker
    {
        private final FooterCache<ParquetFileMetadata> footers = new FooterCache<>(FooterKind.PARQUET_FOOTER, LIMITS, FooterWeight::of);
        private final PageIndexCaches indexes = new PageIndexCaches(
                new FooterCache<>(FooterKind.PARQUET_COLUMN_INDEX, LIMITS, PageIndexCaches::weight),
                new FooterCache<>(FooterKind.PARQUET_OFFSET_INDEX, LIMITS, PageIndexCaches::weight),
                new FooterStore(Optional.of(blobs), 0));

        List<Object> indexes(TestingParquetDataSource source, FooterFile file)
                throws IOException
        {
            ParquetMetadata footer = new CachedParquetMetadataSource(new MetadataReader(), () -> Optional.of(file), footers, indexes)
                    .getParquetMetadata(source, file.version().lengthBytes(), true, 1000, Optional.empty(), false)
                    .getParquetMetadata();
            return PageIndexesTest.indexes(source, footer);
        }
    }

    private final Worker worker = new Worker();

    @Test
    void indexesAreFetchedAndParsedOnceAndNotFetchedAfterARestart()
            throws IOException
    {
        byte[] content = ParquetFiles.writeIndexed(30_000, 1);
        FooterFile file = file(PATH, content.length, "one");
        List<Object> expected = uncached(content);
        assertThat(expected).as("of several row groups").hasSizeGreaterThan(16);
        TestingParquetDataSource cold = new TestingParquetDataSource(PATH, content);
        List<Object> first = worker.indexes(cold, file);
        assertSame(first, expected);

        TestingParquetDataSource warm = new TestingParquetDataSource(PATH, content);
        List<Object> second = worker.indexes(warm, file);
        for (int i = 0; i < first.size(); i++) {
            assertThat(second.get(i)).isSameAs(first.get(i));
        }
        assertThat(warm.reads()).isZero();

        eventually("all is written", () -> readsAfterARestart(content, file, expected) == 0);
    }

    @Test
    void overwrittenFileHasOtherIndexes()
            throws IOException
    {
        byte[] content = ParquetFiles.writeIndexed(1000, 1000);
        byte[] other = ParquetFiles.writeIndexed(1000, 2000);
        assertThat(other).hasSameSizeAs(content);
        worker.indexes(new TestingParquetDataSource(PATH, content), file(PATH, content.length, "one"));
        assertSame(worker.indexes(new TestingParquetDataSource(PATH, other), file(PATH, other.length, "two")), uncached(other));
    }

    @Test
    void corruptIndexIsNotRemembered()
            throws IOException
    {
        byte[] content = ParquetFiles.writeIndexed(500, 1);
        FooterFile file = file(PATH, content.length, "one");
        byte[] corrupt = content.clone();
        int position = (int) footer(content).getBlocks().get(0).getColumns().get(0).getOffsetIndexReference().getOffset();
        Arrays.fill(corrupt, position, position + 10, (byte) 0xff);
        assertThat(worker.indexes(new TestingParquetDataSource(PATH, corrupt), file)).as("the reader does without").isEmpty();
        assertThat(worker.indexes.offsetIndexes().stats().loadFailures()).isPositive();
        assertSame(worker.indexes(new TestingParquetDataSource(PATH, content), file), uncached(content));
    }

    @Test
    void fileWithoutIndexesAndUnknownFilesAreReadAsTheyAre()
            throws IOException
    {
        byte[] plain = ParquetFiles.write(2, 1, 100, 1);
        assertThat(worker.indexes(new TestingParquetDataSource(PATH, plain), file(PATH, plain.length, "one"))).isEmpty();
        byte[] content = ParquetFiles.writeIndexed(1000, 1);
        assertSame(indexes(new TestingParquetDataSource(PATH, content), footer(content)), uncached(content));
        assertThat(worker.indexes.columnIndexes().stats().lookups()).isZero();
    }

    /* A reader that reads pages of chunks reports nothing. */
    @Test
    void readerOfWholeChunksTellsWhichColumnsOfEachRowGroupItIsAskedFor()
            throws IOException
    {
        byte[] content = ParquetFiles.writeIndexed(30_000, 1);
        FooterFile file = file(PATH, content.length, "one");
        TestingParquetDataSource source = new TestingParquetDataSource(PATH, content);
        List<List<ColumnRange>> told = new ArrayList<>();
        ParquetMetadata footer = new CachedParquetMetadataSource(new MetadataReader(), new OpenedFiles() {
            @Override
            public Optional<FooterFile> current()
            {
                return Optional.of(file);
            }

            @Override
            public void rowGroup(List<ColumnRange> chunks)
            {
                told.add(chunks);
            }
        }, worker.footers, worker.indexes).getParquetMetadata(source, content.length, true, 1000, Optional.empty(), false).getParquetMetadata();
        indexes(source, footer);
        assertThat(told).isEmpty();
        MessageType schema = footer.getFileMetaData().getSchema();
        MessageType names = new MessageType(schema.getName(), schema.getType("name"));
        for (BlockMetaData group : footer.getBlocks()) {
            PageIndexes.getColumnIndexStore(
                    new TupleDomainParquetPredicate(TupleDomain.all(), List.of()),
                    source,
                    group,
                    ParquetTypeUtils.getDescriptors(schema, names),
                    false);
        }
        assertThat(told).containsExactlyElementsOf(
                footer.getBlocks()
                        .stream()
                        .map(group -> group.getColumns().get(1))
                        .map(chunk -> List.of(new ColumnRange("name", chunk.getStartingPos(), chunk.getTotalSize())))
                        .toList());
    }

    @Test
    void chunksThatCannotBeLocatedAreNotReported()
            throws IOException
    {
        byte[] content = ParquetFiles.writeIndexed(1000, 1);
        FooterFile file = file(PATH, content.length, "one");
        TestingParquetDataSource source = new TestingParquetDataSource(PATH, content);
        worker.indexes(source, file);
        BlockMetaData group = new BlockMetaData() {
            @Override
            public List<ColumnChunkMetaData> getColumns()
            {
                throw new IllegalStateException("no path in the schema");
            }
        };
        assertThat(PageIndexes.getColumnIndexStore(new TupleDomainParquetPredicate(TupleDomain.all(), List.of()), source, group, Map.of(), false))
                .isEmpty();
    }

    @Test
    void weightIsWhatIsRetained()
            throws IOException
    {
        for (int rows : new int[] {100, 1000}) {
            for (Object index : uncached(ParquetFiles.writeIndexed(rows, 1))) {
                long weight = index instanceof ColumnIndex columns ? PageIndexCaches.weight(columns) : PageIndexCaches.weight((OffsetIndex) index);
                assertThat(weight / (double) RetainedBytes.of(index)).as(index.getClass() + " of " + rows + " rows").isBetween(0.7, 1.5);
            }
        }
    }

    private int readsAfterARestart(byte[] content, FooterFile file, List<Object> expected)
    {
        TestingParquetDataSource source = new TestingParquetDataSource(PATH, content);
        try {
            assertSame(new Worker().indexes(source, file), expected);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return source.reads();
    }

    private static List<Object> uncached(byte[] content)
            throws IOException
    {
        TestingParquetDataSource source = new TestingParquetDataSource(PATH, content);
        List<Object> indexes = new ArrayList<>();
        for (BlockMetaData group : footer(content).getBlocks()) {
            for (int i = 0; i < COLUMNS.size(); i++) {
                indexes.add(source.readColumnIndex(group.getColumns().get(i)).orElseThrow());
                indexes.add(source.readOffsetIndex(group.getColumns().get(i)).orElseThrow());
            }
        }
        return indexes;
    }

    /** Reads the indexes as Presto's page source does. */
    private static List<Object> indexes(ParquetDataSource source, ParquetMetadata footer)
    {
        MessageType schema = footer.getFileMetaData().getSchema();
        List<Object> indexes = new ArrayList<>();
        for (BlockMetaData group : footer.getBlocks()) {
            Optional<ColumnIndexStore> store = PageIndexes.getColumnIndexStore(
                    new TupleDomainParquetPredicate(TupleDomain.all(), List.of()),
                    source,
                    group,
                    ParquetTypeUtils.getDescriptors(schema, schema),
                    true);
            if (store.isPresent()) {
                for (ColumnPath column : COLUMNS) {
                    ColumnIndex columns = store.get().getColumnIndex(column);
                    if (columns != null) {
                        indexes.add(columns);
                        indexes.add(store.get().getOffsetIndex(column));
                    }
                }
            }
        }
        return indexes;
    }

    private static ParquetMetadata footer(byte[] content)
            throws IOException
    {
        return ParquetFooterTest.uncached(content).getParquetMetadata();
    }

    private static void assertSame(List<Object> found, List<Object> expected)
    {
        assertThat(found.stream().map(Object::toString)).isEqualTo(expected.stream().map(Object::toString).toList());
    }
}
