// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.orc.DwrfAwareStripeMetadataSourceFactory;
import com.facebook.presto.orc.DwrfKeyProvider;
import com.facebook.presto.orc.NoopOrcAggregatedMemoryContext;
import com.facebook.presto.orc.NoopOrcLocalMemoryContext;
import com.facebook.presto.orc.OrcCorruptionException;
import com.facebook.presto.orc.OrcEncoding;
import com.facebook.presto.orc.OrcPermissionsException;
import com.facebook.presto.orc.OrcReader;
import com.facebook.presto.orc.OrcReaderOptions;
import com.facebook.presto.orc.StorageStripeMetadataSource;
import com.facebook.presto.orc.StreamId;
import com.facebook.presto.orc.StripeMetadataSource;
import com.facebook.presto.orc.StripeMetadataSourceFactory;
import com.facebook.presto.orc.StripeReader.StripeId;
import com.facebook.presto.orc.cache.OrcFileTailSource;
import com.facebook.presto.orc.cache.StorageOrcFileTailSource;
import com.facebook.presto.orc.metadata.ColumnEncoding;
import com.facebook.presto.orc.metadata.Footer;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.OrcMetadataReader;
import com.facebook.presto.orc.metadata.PostScript.HiveWriterVersion;
import com.facebook.presto.orc.metadata.RowGroupIndex;
import com.facebook.presto.orc.metadata.Stream;
import com.facebook.presto.orc.metadata.StripeInformation;
import com.facebook.presto.orc.metadata.statistics.ColumnStatistics;
import com.facebook.presto.orc.metadata.statistics.HiveBloomFilter;
import com.facebook.presto.orc.stream.OrcInputStream;
import com.facebook.presto.orc.stream.SharedBuffer;
import io.airlift.slice.Slices;
import io.airlift.units.DataSize;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterLimits;
import io.eyrie.footer.FooterStats;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.OpenedFiles;
import io.eyrie.footer.RetainedBytes;
import io.eyrie.footer.TestingFooterFiles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.airlift.units.DataSize.Unit.BYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.footer.TestingFooterFiles.LIMITS;
import static io.eyrie.footer.TestingFooterFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests Presto's reader with the cached sources: the same answers as with the uncached ones, and fewer reads. */
final class OrcFooterTest
{
    private static final String PATH = "s3://bucket/file.orc";
    private static final int GUESS_BYTES = 16 << 10;

    private final BlobCache blobs = TestingFooterFiles.blobs();
    private int tinyBytes = 1;
    private DwrfKeyProvider keys = DwrfKeyProvider.EMPTY;

    /** The caches of one process. */
    private final class Worker
    {
        private final FooterStore store;
        private final FooterLimits limits;
        private final FooterCache<CachedFileTail> tails;
        private final StripeCaches stripes;
        private Optional<FooterFile> current = Optional.empty();

        Worker(BlobCache blobs, FooterLimits limits)
        {
            store = new FooterStore(Optional.of(blobs), 0);
            this.limits = limits;
            tails = new FooterCache<>(FooterKind.ORC_FILE_TAIL, limits, CachedFileTail::weight);
            stripes = new StripeCaches(
                    new FooterCache<>(FooterKind.ORC_STRIPE_FOOTER, limits, CachedStripeFooter::weight),
                    new FooterCache<>(FooterKind.ORC_STRIPE_STREAM, limits, slice -> slice.getRetainedSize()),
                    new FooterCache<>(FooterKind.ORC_ROW_GROUP_INDEX, limits, StripeCaches::weight),
                    store);
        }

        long sum(OrcEncoding encoding, TestingOrcDataSource source, FooterFile file, int column)
                throws IOException
        {
            return OrcFiles.sum(open(encoding, source, file), column);
        }

        OrcReader open(OrcEncoding encoding, TestingOrcDataSource source, FooterFile file)
                throws IOException
        {
            OpenedFiles files = () -> current;
            current = Optional.of(file);
            OrcFileTailSource tailSource = new CachedOrcFileTailSource(new StorageOrcFileTailSource(), files, tails, store);
            OrcReader reader = reader(encoding, source, tailSource, new DwrfAwareStripeMetadataSourceFactory(new CachedStripeMetadataSourceFactory(
                    files, stripes)));
            // the reader continues after the thread has moved on to other files
            current = Optional.empty();
            return reader;
        }
    }

    private final Worker worker = new Worker(blobs, LIMITS);

    @Test
    void filesWhoseListsAndMapsHaveNoFieldNamesAreCachedAsParsed()
            throws IOException
    {
        byte[] content = Files.readAllBytes(Path.of("../integration-tests/src/test/resources/foreign/corpus/pyarrow/nested-zlib.orc"));
        FooterFile file = file(PATH, content.length, "one");
        for (int i = 0; i < 2; i++) {
            assertThat(worker.open(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file).getFooter().getNumberOfRows()).isEqualTo(30);
        }
        assertThat(keptTail(file).footer()).isPresent();
        assertThat(worker.tails.stats().weighFailures()).isZero();
    }

    @ParameterizedTest
    @EnumSource(OrcEncoding.class)
    void answersAreThoseOfTheUncachedReaderColdWarmAndAfterARestart(OrcEncoding encoding)
            throws IOException
    {
        byte[] content = OrcFiles.write(encoding, 40, 5, 3000, 1);
        FooterFile file = file(PATH, content.length, "one");
        for (int column : new int[] {0, 39, 20}) {
            long expected = uncached(encoding, content, column);
            assertThat(worker.sum(encoding, new TestingOrcDataSource(PATH, content), file, column)).isEqualTo(expected);
            assertThat(worker.sum(encoding, new TestingOrcDataSource(PATH, content), file, column)).isEqualTo(expected);
        }
        eventually("all is written", () -> blobs.stats().write().writes() > 0);
        Worker restarted = new Worker(blobs, LIMITS);
        assertThat(restarted.sum(encoding, new TestingOrcDataSource(PATH, content), file, 20)).isEqualTo(uncached(encoding, content, 20));
    }

    @ParameterizedTest
    @EnumSource(OrcEncoding.class)
    void tinyStripesThatPrestoReadsTogether(OrcEncoding encoding)
            throws IOException
    {
        tinyBytes = 8 << 20;
        // the first file is read as a whole, the second some stripes at a time
        for (byte[] content : List.of(OrcFiles.write(encoding, 40, 5, 300, 1), OrcFiles.write(encoding, 10, 12, 10_000, 2))) {
            FooterFile file = file(PATH, content.length, "length " + content.length);
            for (int column : new int[] {9, 0, 5}) {
                long expected = uncached(encoding, content, column);
                assertThat(worker.sum(encoding, new TestingOrcDataSource(PATH, content), file, column)).isEqualTo(expected);
                assertThat(worker.sum(encoding, new TestingOrcDataSource(PATH, content), file, column)).isEqualTo(expected);
                assertThat(new Worker(blobs, LIMITS).sum(encoding, new TestingOrcDataSource(PATH, content), file, column)).isEqualTo(expected);
            }
        }
    }

    @Test
    void warmReaderReadsNothingButData()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 1, 3, 60_000, 2);
        FooterFile file = file(PATH, content.length, "one");
        TestingOrcDataSource cold = new TestingOrcDataSource(PATH, content);
        TestingOrcDataSource uncached = new TestingOrcDataSource(PATH, content);
        worker.sum(OrcEncoding.ORC, cold, file, 0);
        OrcReader reader = reader(OrcEncoding.ORC, uncached, new StorageOrcFileTailSource(), StripeMetadataSourceFactory.of(
                new StorageStripeMetadataSource()));
        OrcFiles.sum(reader, 0);
        assertThat(cold.reads().size()).as("requests of a cold read").isLessThanOrEqualTo(uncached.reads().size());

        TestingOrcDataSource warm = new TestingOrcDataSource(PATH, content);
        worker.sum(OrcEncoding.ORC, warm, file, 0);
        assertThat(warm.reads()).as("the data of each stripe").hasSize(3);

        eventually("all is written", () -> blobs.stats().write().writes() >= 7);
        TestingOrcDataSource restarted = new TestingOrcDataSource(PATH, content);
        new Worker(blobs, LIMITS).sum(OrcEncoding.ORC, restarted, file, 0);
        assertThat(restarted.reads()).as("the data of each stripe").hasSize(3);
    }

    @Test
    void overwrittenFileIsReadAnew()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 10, 3, 3000, 3);
        byte[] other = OrcFiles.write(OrcEncoding.ORC, 10, 3, 3000, 4);
        worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file(PATH, content.length, "one"), 1);
        assertThat(worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, other), file(PATH, other.length, "two"), 1))
                .isEqualTo(uncached(OrcEncoding.ORC, other, 1));
    }

    @Test
    void fileOfUnknownVersionAndOtherFilesAreReadUncached()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 10, 3, 3000, 3);
        FooterFile elsewhere = file("s3://bucket/other.orc", content.length, "one");
        assertThat(worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), elsewhere, 1)).isEqualTo(uncached(OrcEncoding.ORC, content,
                1));
        FooterFile otherLength = file(PATH, content.length + 1, "one");
        assertThat(worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), otherLength, 1)).isEqualTo(uncached(OrcEncoding.ORC, content,
                1));
        assertThat(worker.tails.stats().lookups()).isZero();
        assertThat(worker.stripes.streams().stats().lookups()).isZero();
    }

    @Test
    void corruptTailIsAnErrorThatIsNotRemembered()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 10, 3, 3000, 5);
        FooterFile file = file(PATH, content.length, "one");
        byte[] corrupt = content.clone();
        Arrays.fill(corrupt, content.length - 30, content.length - 1, (byte) 0xff);
        assertThatThrownBy(() -> worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, corrupt), file, 1)).isInstanceOf(
                OrcCorruptionException.class);
        assertThat(worker.tails.stats().loadFailures()).isEqualTo(1);
        assertThat(worker.tails.stats().currentEntries()).isZero();
        assertThat(blobs.stats().write().writes()).isZero();
        assertThat(worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file, 1)).isEqualTo(uncached(OrcEncoding.ORC, content, 1));
    }

    @Test
    void anyTruncationIsAnErrorAndLeavesNothing()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 3, 2, 300, 6);
        for (int length = content.length - 1; length > content.length - 300; length--) {
            byte[] truncated = Arrays.copyOf(content, length);
            FooterFile file = file(PATH, length, "cut");
            List<Throwable> failures = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                try {
                    uncachedReader(OrcEncoding.ORC, new TestingOrcDataSource(PATH, truncated));
                }
                catch (IOException | RuntimeException e) {
                    failures.add(e);
                }
                try {
                    worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, truncated), file, 1);
                }
                catch (IOException | RuntimeException e) {
                    failures.add(e);
                }
            }
            assertThat(failures).as("with and without a cache, at " + length).hasSize(4);
        }
    }

    @Test
    void lengthsBeyondTheFileTakeNoMemory()
            throws IOException
    {
        // a custom postscript: footer of 2^31 - 1 bytes, no compression, "ORC"
        byte[] postScript = {8, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 16, 0, 24, 0, (byte) 0x82, (byte) 0xf4, 3, 3, 'O', 'R', 'C'};
        byte[] content = Arrays.copyOf(new byte[] {'O', 'R', 'C'}, 1000);
        System.arraycopy(postScript, 0, content, content.length - 1 - postScript.length, postScript.length);
        content[content.length - 1] = (byte) postScript.length;
        assertThatThrownBy(() -> worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file(PATH, content.length, "one"), 0))
                .isInstanceOf(OrcCorruptionException.class)
                .hasMessageContaining("longer than the file");
    }

    @Test
    void storedBytesThatCannotBeParsedAreFetchedAgain()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 10, 3, 3000, 7);
        FooterFile file = file(PATH, content.length, "one");
        FooterStore store = new FooterStore(Optional.of(blobs), 0);
        // in place of the tail and of the last stripe's footer
        FooterChunks poison = store.tail(file);
        poison.load(content.length - GUESS_BYTES, GUESS_BYTES, (position, buffer, offset, length) -> Arrays.fill(buffer, offset, offset + length,
                (byte) 0xff));
        int poisoned = content.length % FooterStore.CHUNK_BYTES < GUESS_BYTES ? 2 : 1;
        poison.keep();
        eventually("the poison is written", () -> blobs.stats().write().writes() == poisoned);
        assertThat(worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file, 1)).isEqualTo(uncached(OrcEncoding.ORC, content, 1));
    }

    @Test
    void tenThousandColumnsAndAThousandStripesAreBounded()
            throws IOException
    {
        FooterLimits small = new FooterLimits(true, 1 << 20, LIMITS.ttl());
        Worker bounded = new Worker(blobs, small);
        byte[] wide = OrcFiles.write(OrcEncoding.ORC, 10_000, 1, 2, 8);
        byte[] tall = OrcFiles.write(OrcEncoding.ORC, 2, 1000, 30, 9);
        for (byte[] content : List.of(wide, tall)) {
            FooterFile file = file(PATH, content.length, "length " + content.length);
            for (int i = 0; i < 2; i++) {
                assertThat(bounded.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file, 1)).isEqualTo(uncached(OrcEncoding.ORC,
                        content, 1));
            }
        }
        for (FooterStats stats : List.of(
                bounded.tails.stats(),
                bounded.stripes.footers().stats(),
                bounded.stripes.streams().stats(),
                bounded.stripes.rowGroupIndexes().stats())) {
            assertThat(stats.currentBytes()).isLessThanOrEqualTo(small.bytes());
            assertThat(stats.hits() + stats.misses() + stats.loadFailures()).isEqualTo(stats.lookups());
        }
    }

    @Test
    void encryptedColumnIsReadByWhoHasItsKeyAndByNobodyElse()
            throws IOException
    {
        byte[] content = OrcFiles.writeEncrypted(3, 4, 3000, 11);
        FooterFile file = file(PATH, content.length, "one");
        DwrfKeyProvider key = DwrfKeyProvider.of(Map.of(1, TestingEncryption.KEY));
        for (Worker reading : List.of(worker, new Worker(blobs, LIMITS))) {
            for (int i = 0; i < 2; i++) {
                keys = DwrfKeyProvider.EMPTY;
                assertThatThrownBy(() -> reading.sum(OrcEncoding.DWRF, new TestingOrcDataSource(PATH, content), file, 0)).isInstanceOf(
                        OrcPermissionsException.class);
                assertThat(reading.sum(OrcEncoding.DWRF, new TestingOrcDataSource(PATH, content), file, 2)).isEqualTo(uncached(OrcEncoding.DWRF,
                        content, 2));
                keys = key;
                assertThat(reading.sum(OrcEncoding.DWRF, new TestingOrcDataSource(PATH, content), file, 0)).isEqualTo(uncached(OrcEncoding.DWRF,
                        content, 0));
            }
            assertThat(reading.stripes.rowGroupIndexes().stats().hits()).as("of the encrypted column, too").isPositive();
            eventually("all is written", () -> blobs.stats().write().writes() > 0);
        }
    }

    @Test
    void indexParsedWithoutBloomFiltersIsNotGivenToAQueryThatAsksForThem()
            throws IOException
    {
        byte[] content = new byte[1000];
        TestingOrcDataSource source = new TestingOrcDataSource(PATH, content);
        StripeId stripe = new StripeId(source.getId(), 3);
        StripeMetadataSource parsing = new StorageStripeMetadataSource() {
            @Override
            public List<RowGroupIndex> getRowIndexes(
                    MetadataReader metadataReader,
                    HiveWriterVersion writerVersion,
                    StripeId stripeId,
                    StreamId stream,
                    OrcInputStream input,
                    @Nullable List<HiveBloomFilter> bloomFilters,
                    RuntimeStats stats,
                    long modificationTime)
            {
                HiveBloomFilter filter = bloomFilters == null ? null : bloomFilters.get(0);
                return List.of(new RowGroupIndex(new int[1], new ColumnStatistics(1L, filter, null, null)));
            }
        };
        CachedStripeMetadataSource cached = new CachedStripeMetadataSource(parsing, file(PATH, content.length, "one"), worker.stripes,
                Optional.empty());
        cached.getInputs(source, stripe, Map.of(), true, 1000);

        assertThat(bloomFilter(cached, stripe, null)).isNull();
        HiveBloomFilter filter = new HiveBloomFilter(List.of(1L), 64, 1);
        assertThat(bloomFilter(cached, stripe, List.of(filter))).isSameAs(filter);
        assertThat(bloomFilter(cached, stripe, List.of(new HiveBloomFilter(List.of(2L), 64, 1)))).as("kept").isSameAs(filter);
        assertThat(bloomFilter(cached, stripe, null)).isNull();
    }

    private static @Nullable HiveBloomFilter bloomFilter(StripeMetadataSource source, StripeId stripe, @Nullable List<HiveBloomFilter> filters)
            throws IOException
    {
        OrcInputStream input = new OrcInputStream(
                stripe.getSourceId(),
                new SharedBuffer(NoopOrcLocalMemoryContext.NOOP_ORC_LOCAL_MEMORY_CONTEXT),
                Slices.EMPTY_SLICE.getInput(),
                Optional.empty(),
                Optional.empty(),
                NoopOrcAggregatedMemoryContext.NOOP_ORC_AGGREGATED_MEMORY_CONTEXT,
                0);
        return source.getRowIndexes(
                new OrcMetadataReader(new RuntimeStats()),
                HiveWriterVersion.ORC_HIVE_8732,
                stripe,
                new StreamId(1, 0, Stream.StreamKind.ROW_INDEX),
                input,
                filters,
                new RuntimeStats(),
                1000).get(0).getColumnStatistics().getBloomFilter();
    }

    @ParameterizedTest
    @EnumSource(OrcEncoding.class)
    void footersOfStripesAreKeptAsTheReaderParsedThem(OrcEncoding encoding)
            throws IOException
    {
        byte[] content = OrcFiles.write(encoding, 40, 5, 3000, 12);
        FooterFile file = file(PATH, content.length, "one");
        worker.sum(encoding, new TestingOrcDataSource(PATH, content), file, 0);
        MetadataReader parsing = encoding.createMetadataReader(new RuntimeStats(), options());
        Set<Map<Integer, ColumnEncoding>> encodings = Collections.newSetFromMap(new IdentityHashMap<>());
        for (StripeInformation stripe : uncachedReader(encoding, new TestingOrcDataSource(PATH, content)).getFooter().getStripes()) {
            FooterKey key = new FooterKey(
                    file.version(),
                    stripe.getOffset() + stripe.getIndexLength() + stripe.getDataLength(),
                    (int) stripe.getFooterLength());
            CachedStripeFooter kept = worker.stripes.footers().get(key, file, () -> {
                throw new IOException("not kept");
            });
            Map<Integer, ColumnEncoding> parsed = kept.footer(parsing.getClass()).orElseThrow().getColumnEncodings();
            assertThat(parsed).hasSize(41);
            encodings.add(parsed);
        }
        assertThat(encodings).as("one for all stripes, as they are the same").hasSize(1);
    }

    @Test
    void tailsAreKeptAsReadersOfOrcParsedThem()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 40, 5, 3000, 12);
        FooterFile file = file(PATH, content.length, "one");
        Footer footer = worker.open(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file).getFooter();
        CachedFileTail kept = keptTail(file);
        assertThat(kept.footer()).containsSame(footer);
        assertThat(kept.metadata().orElseThrow().getStripeStatsList()).hasSize(5).allMatch(stripe -> stripe.getColumnStatistics().size() == 41);
        assertThat(worker.open(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file).getFooter()).isSameAs(footer);
        assertThat(keptTail(file)).isSameAs(kept);
        assertThat(worker.tails.stats().currentBytes()).isGreaterThan(kept.weight());

        FooterFile other = file(PATH, content.length, "two");
        assertThat(worker.open(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), other).getFooter()).isNotSameAs(footer);
        FooterFile bypassing = new FooterFile(file.version(), file.scope(), CacheMode.BYPASS, Set.of(), file.listener());
        assertThat(worker.open(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), bypassing).getFooter()).isNotSameAs(footer);

        byte[] dwrf = OrcFiles.write(OrcEncoding.DWRF, 40, 5, 3000, 12);
        FooterFile third = file(PATH, dwrf.length, "three");
        worker.sum(OrcEncoding.DWRF, new TestingOrcDataSource(PATH, dwrf), third, 1);
        assertThat(keptTail(third).footer()).as("its statistics are the reader's whose keys open them").isEmpty();
        assertThat(keptTail(third).metadata()).isEmpty();
    }

    @Test
    void parsedTailWeighsWhatItRetains()
            throws IOException
    {
        for (int[] shape : new int[][] {{3, 1}, {40, 5}, {1000, 10}}) {
            byte[] content = OrcFiles.write(OrcEncoding.ORC, shape[0], shape[1], 50, 12);
            FooterFile file = file(PATH, content.length, "columns " + shape[0]);
            OrcReader unused = worker.open(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file);
            CachedFileTail kept = keptTail(file);
            double measured = RetainedBytes.of(kept);
            assertThat(kept.weight() / measured).as("%s: %s", Arrays.toString(shape), measured).isBetween(0.7, 1.5);
        }
    }

    @Test
    void tailWhoseFooterCannotBeParsedIsForgotten()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 40, 5, 3000, 5);
        FooterFile file = file(PATH, content.length, "one");
        byte[] corrupt = content.clone();
        Arrays.fill(corrupt, content.length - 400, content.length - 100, (byte) 0xff);
        assertThatThrownBy(() -> worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, corrupt), file, 1)).isInstanceOf(
                OrcCorruptionException.class);
        assertThat(worker.tails.stats().misses()).as("its bytes were loaded").isEqualTo(1);
        assertThat(worker.tails.stats().currentEntries()).isZero();
    }

    private CachedFileTail keptTail(FooterFile file)
    {
        return worker.tails.find(new FooterKey(file.version(), 0, ""), file).orElseThrow();
    }

    @Test
    void tailRetainsWhatItWeighs()
            throws IOException
    {
        byte[] content = OrcFiles.write(OrcEncoding.ORC, 2, 1, 30, 10);
        worker.sum(OrcEncoding.ORC, new TestingOrcDataSource(PATH, content), file(PATH, content.length, "one"), 0);
        assertThat(worker.tails.stats().currentBytes()).as("not the buffer that it was read into").isLessThan(4000);
        assertThat(worker.limits.bytes()).isGreaterThan(4000);
    }

    private long uncached(OrcEncoding encoding, byte[] content, int column)
            throws IOException
    {
        return OrcFiles.sum(uncachedReader(encoding, new TestingOrcDataSource(PATH, content)), column);
    }

    private OrcReader uncachedReader(OrcEncoding encoding, TestingOrcDataSource source)
            throws IOException
    {
        return reader(encoding, source, new StorageOrcFileTailSource(), StripeMetadataSourceFactory.of(new StorageStripeMetadataSource()));
    }

    private OrcReader reader(OrcEncoding encoding, TestingOrcDataSource source, OrcFileTailSource tails, StripeMetadataSourceFactory stripes)
            throws IOException
    {
        return new OrcReader(
                source,
                encoding,
                tails,
                stripes,
                NoopOrcAggregatedMemoryContext.NOOP_ORC_AGGREGATED_MEMORY_CONTEXT,
                options(),
                true,
                TestingEncryption.PROVIDER,
                keys,
                new RuntimeStats(),
                1000);
    }

    private OrcReaderOptions options()
    {
        return OrcReaderOptions.builder()
                .withMaxMergeDistance(new DataSize(1, MEGABYTE))
                .withTinyStripeThreshold(new DataSize(tinyBytes, BYTE))
                .withMaxBlockSize(new DataSize(16, MEGABYTE))
                .build();
    }
}
