// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.orc.OrcCorruptionException;
import com.facebook.presto.orc.OrcDataSourceId;
import com.facebook.presto.orc.metadata.ColumnEncoding;
import com.facebook.presto.orc.metadata.ColumnEncoding.ColumnEncodingKind;
import com.facebook.presto.orc.metadata.DwrfSequenceEncoding;
import com.facebook.presto.orc.metadata.ExceptionWrappingMetadataReader;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.OrcMetadataReader;
import com.facebook.presto.orc.metadata.OrcType;
import com.facebook.presto.orc.metadata.Stream;
import com.facebook.presto.orc.metadata.Stream.StreamKind;
import com.facebook.presto.orc.metadata.StripeFooter;
import com.facebook.presto.orc.proto.DwrfProto.KeyInfo;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSortedMap;
import io.airlift.slice.Slices;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.RetainedBytes;
import io.eyrie.footer.TestingFooterFiles;
import io.eyrie.footer.orc.ParsedFooterReader.FooterRequest;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests that readers of the same kind share a parsed footer, and nothing else. */
final class ParsedFooterReaderTest
{
    private static final OrcDataSourceId ID = new OrcDataSourceId("s3://bucket/file.orc");
    private static final FooterFile FILE = TestingFooterFiles.file(ID.toString(), 100_000, "one");
    private static final int POSITION = 50_000;
    private static final int LENGTH = 100;
    private static final FooterKey KEY = new FooterKey(FILE.version(), POSITION, LENGTH);

    private final BlobCache blobs = TestingFooterFiles.blobs();
    private final FooterStore store = new FooterStore(Optional.of(blobs), 0);
    private final FooterCache<CachedStripeFooter> cache = new FooterCache<>(
            FooterKind.ORC_STRIPE_FOOTER,
            TestingFooterFiles.LIMITS,
            CachedStripeFooter::weight);
    private boolean corrupt;
    private int parsed;

    private class CountingReader
            extends ForwardingMetadataReader
    {
        CountingReader(MetadataReader kind)
        {
            super(kind);
        }

        @Override
        public StripeFooter readStripeFooter(OrcDataSourceId id, List<OrcType> types, InputStream in)
                throws IOException
        {
            parsed++;
            if (corrupt) {
                throw new OrcCorruptionException(id, "corrupt");
            }
            return footer(3, 1, 0);
        }
    }

    /** As a reader of stripes does. */
    private StripeFooter read(MetadataReader reader, ParsedFooterReader installed)
            throws IOException
    {
        FooterChunks chunks = store.stripe(FILE, POSITION);
        CachedStripeFooter kept = cache.get(KEY, FILE, () -> {
            chunks.load(POSITION, LENGTH, (position, buffer, offset, length) -> {});
            chunks.keep();
            return new CachedStripeFooter(Slices.allocate(LENGTH));
        });
        installed.ask(new FooterRequest(cache, KEY, FILE, kept, chunks));
        return reader.readStripeFooter(ID, List.of(), InputStream.nullInputStream());
    }

    private MetadataReader wrapped()
    {
        return new ExceptionWrappingMetadataReader(ID, new CountingReader(new OrcMetadataReader(new RuntimeStats())));
    }

    private static ParsedFooterReader install(MetadataReader reader)
    {
        ParsedFooterReader.install(reader);
        return ParsedFooterReader.takeInstalled().orElseThrow();
    }

    @Test
    void footerIsParsedOnceForAllReadersOfAKind()
            throws IOException
    {
        MetadataReader first = wrapped();
        StripeFooter footer = read(first, install(first));
        MetadataReader second = wrapped();
        assertThat(read(second, install(second))).isSameAs(footer);
        assertThat(parsed).isEqualTo(1);
        assertThat(cache.stats().currentBytes()).as("weighed with what was parsed").isGreaterThan(kept(footer).weight());

        // another reader of the same file
        MetadataReader other = new ExceptionWrappingMetadataReader(ID, new CountingReader(new OrcMetadataReader(new RuntimeStats())) {});
        assertThat(read(other, install(other))).isNotSameAs(footer);
    }

    @Test
    void footerThatWasNotAskedOfTheCacheIsParsed()
            throws IOException
    {
        MetadataReader reader = wrapped();
        ParsedFooterReader installed = install(reader);
        StripeFooter footer = read(reader, installed);
        assertThat(reader.readStripeFooter(ID, List.of(), InputStream.nullInputStream())).isNotSameAs(footer);
        read(reader, installed);
        installed.ask(null);
        assertThat(reader.readStripeFooter(ID, List.of(), InputStream.nullInputStream())).isNotSameAs(footer);
    }

    @Test
    void footerThatCannotBeParsedIsForgotten()
            throws IOException
    {
        MetadataReader reader = wrapped();
        ParsedFooterReader installed = install(reader);
        corrupt = true;
        assertThatThrownBy(() -> read(reader, installed)).isInstanceOf(OrcCorruptionException.class);
        assertThat(cache.stats().currentEntries()).isZero();
        corrupt = false;
        assertThat(read(reader, installed).getStreams()).hasSize(3);
        assertThat(cache.stats().misses()).as("loaded again").isEqualTo(2);
    }

    @Test
    void readerThatWasNotFinishedIsNotPairedWithTheNextSource()
    {
        ParsedFooterReader.install(wrapped());
        ParsedFooterReader.install(new OrcMetadataReader(new RuntimeStats()));
        assertThat(ParsedFooterReader.takeInstalled()).isEmpty();
        ParsedFooterReader.install(wrapped());
        assertThat(ParsedFooterReader.takeInstalled()).isPresent();
        assertThat(ParsedFooterReader.takeInstalled()).as("once").isEmpty();
    }

    @Test
    void weightIsWhatIsRetained()
    {
        int[][] shapes = {{1, 1, 0}, {30, 3, 0}, {3000, 3, 0}, {100, 2, 20}};
        for (int[] shape : shapes) {
            CachedStripeFooter kept = kept(footer(shape[0] * shape[1], shape[0], shape[2]));
            // without the objects that all Protocol Buffers messages refer to
            double measured = RetainedBytes.of(kept) - (shape[2] == 0 ? 0 : RetainedBytes.of(KeyInfo.getDefaultInstance()));
            assertThat(kept.weight() / measured).as("%s: %s", Arrays.toString(shape), measured).isBetween(0.7, 1.5);
        }
    }

    private static CachedStripeFooter kept(StripeFooter footer)
    {
        return new CachedStripeFooter(Slices.allocate(LENGTH)).parsed(OrcMetadataReader.class, footer);
    }

    /** Returns a footer of DWRF if its columns have sequences; its streams then have offsets. */
    private static StripeFooter footer(int streams, int columns, int sequences)
    {
        ImmutableList.Builder<Stream> listed = ImmutableList.builder();
        for (int i = 0; i < streams; i++) {
            listed.add(new Stream(i, StreamKind.DATA, 1000 + i, true, 0, sequences == 0 ? Optional.empty() : Optional.of(1000L * i)));
        }
        ImmutableMap.Builder<Integer, ColumnEncoding> encodings = ImmutableMap.builder();
        for (int column = 0; column < columns; column++) {
            ImmutableSortedMap.Builder<Integer, DwrfSequenceEncoding> more = ImmutableSortedMap.naturalOrder();
            for (int i = 1; i <= sequences; i++) {
                more.put(i, new DwrfSequenceEncoding(
                        KeyInfo.newBuilder().setIntKey(1000 + i).build(),
                        new ColumnEncoding(ColumnEncodingKind.DIRECT, 0)));
            }
            encodings.put(1000 + column, new ColumnEncoding(
                    ColumnEncodingKind.DIRECT_V2,
                    0,
                    sequences == 0 ? Optional.empty() : Optional.of(more.build())));
        }
        return new StripeFooter(listed.build(), encodings.build(), List.of());
    }
}
