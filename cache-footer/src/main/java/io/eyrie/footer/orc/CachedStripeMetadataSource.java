// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.orc.DiskRange;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcDataSourceInput;
import com.facebook.presto.orc.StreamId;
import com.facebook.presto.orc.StripeMetadataSource;
import com.facebook.presto.orc.StripeReader.StripeId;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.PostScript.HiveWriterVersion;
import com.facebook.presto.orc.metadata.RowGroupIndex;
import com.facebook.presto.orc.metadata.statistics.HiveBloomFilter;
import com.facebook.presto.orc.stream.OrcInputStream;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterChunks.Run;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.orc.ParsedFooterReader.FooterRequest;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.orc.metadata.Stream.StreamArea.INDEX;
import static java.util.Objects.requireNonNull;

/**
 * Returns the stripe metadata of one file version to one reader: footers and index streams from memory, from the store, or from the file. Used by one
 * thread at a time.
 */
final class CachedStripeMetadataSource
        implements StripeMetadataSource
{
    /*
     * Cold        index streams lie before a stripe's data, and Presto reads both in one request. This class does the same: missing chunks are
     *             ranges of the read that fetches the data
     * Encryption  streams are cached as they are in the file. Row indexes are cached parsed, from streams that this reader has the keys of;
     *             a reader without the keys does not request those columns
     */
    private final StripeMetadataSource delegate;
    private final FooterFile file;
    private final StripeCaches caches;
    private final Optional<ParsedFooterReader> parser;
    // of the stripe that was read last, to be dropped if its indexes cannot be parsed
    private @Nullable FooterChunks lastChunks;
    private boolean known;

    /** Identifies a parsed row index, into which Presto puts the bloom filters for queries that request them. */
    record ParsedIndex(StreamId stream, boolean withBloomFilters)
    {}

    CachedStripeMetadataSource(StripeMetadataSource delegate, FooterFile file, StripeCaches caches, Optional<ParsedFooterReader> parser)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.file = requireNonNull(file, "file is null");
        this.caches = requireNonNull(caches, "caches is null");
        this.parser = requireNonNull(parser, "parser is null");
    }

    @Override
    public Slice getStripeFooterSlice(
            OrcDataSource source,
            StripeId stripeId,
            long footerOffset,
            int footerLength,
            boolean cacheable,
            long fileModificationTime)
            throws IOException
    {
        FooterChunks chunks = caches.store().stripe(file, footerOffset);
        if (!isOf(source, stripeId) || !caches.footers().serves(file) || !chunks.contains(footerOffset, footerLength)) {
            parser.ifPresent(reader -> reader.ask(null));
            return delegate.getStripeFooterSlice(source, stripeId, footerOffset, footerLength, cacheable, fileModificationTime);
        }
        FooterKey key = new FooterKey(file.version(), footerOffset, footerLength);
        CachedStripeFooter kept = caches.footers().get(key, file, () -> {
            chunks.load(footerOffset, footerLength, source::readFully);
            chunks.keep();
            return new CachedStripeFooter(slice(chunks, footerOffset, footerLength));
        });
        parser.ifPresent(reader -> reader.ask(new FooterRequest(caches.footers(), key, file, kept, chunks)));
        return kept.bytes();
    }

    @Override
    public Map<StreamId, OrcDataSourceInput> getInputs(
            OrcDataSource source,
            StripeId stripeId,
            Map<StreamId, DiskRange> diskRanges,
            boolean cacheable,
            long fileModificationTime)
            throws IOException
    {
        if (!isOf(source, stripeId) || !caches.streams().serves(file)) {
            return delegate.getInputs(source, stripeId, diskRanges, cacheable, fileModificationTime);
        }
        long epoch = caches.streams().epoch();
        FooterChunks chunks = caches.store().stripe(file, stripeId.getOffset());
        Map<StreamId, OrcDataSourceInput> inputs = new HashMap<>();
        Map<StreamId, DiskRange> missing = new HashMap<>();
        Map<StreamId, DiskRange> uncached = new LinkedHashMap<>();
        diskRanges.forEach((stream, relative) -> {
            DiskRange range = new DiskRange(stripeId.getOffset() + relative.getOffset(), relative.getLength());
            if (stream.getStreamKind().getStreamArea() != INDEX || !chunks.contains(range.getOffset(), range.getLength())) {
                uncached.put(stream, range);
                return;
            }
            Optional<Slice> kept = caches.streams().find(key(stripeId, stream), file);
            kept.ifPresent(slice -> inputs.put(stream, input(slice)));
            if (kept.isEmpty()) {
                missing.put(stream, range);
                chunks.require(range.getOffset(), range.getLength());
            }
        });
        if (!inputs.isEmpty()) {
            file.listener().onHits(FooterKind.ORC_STRIPE_STREAM, inputs.size());
        }
        if (missing.isEmpty()) {
            inputs.putAll(source.readFully(uncached));
            return inputs;
        }
        long start = System.nanoTime();
        read(source, uncached, chunks, inputs);
        missing.forEach((stream, range) -> {
            Slice slice = slice(chunks, range.getOffset(), range.getLength());
            caches.streams().put(key(stripeId, stream), file, slice, epoch);
            inputs.put(stream, input(slice));
        });
        file.listener().onLoad(FooterKind.ORC_STRIPE_STREAM, System.nanoTime() - start);
        chunks.keep();
        lastChunks = chunks;
        return inputs;
    }

    @Override
    public List<RowGroupIndex> getRowIndexes(
            MetadataReader metadataReader,
            HiveWriterVersion hiveWriterVersion,
            StripeId stripeId,
            StreamId streamId,
            OrcInputStream inputStream,
            @Nullable List<HiveBloomFilter> bloomFilters,
            RuntimeStats runtimeStats,
            long fileModificationTime)
            throws IOException
    {
        try {
            if (!known || !caches.rowGroupIndexes().serves(file)) {
                return parsed(metadataReader, hiveWriterVersion, stripeId, streamId, inputStream, bloomFilters, runtimeStats);
            }
            FooterKey key = new FooterKey(file.version(), stripeId.getOffset(), new ParsedIndex(streamId, bloomFilters != null));
            return caches.rowGroupIndexes().get(key, file,
                    () -> parsed(metadataReader, hiveWriterVersion, stripeId, streamId, inputStream, bloomFilters, runtimeStats));
        }
        catch (IOException | RuntimeException e) {
            caches.streams().invalidate(key(stripeId, streamId));
            if (lastChunks != null) {
                lastChunks.forget();
            }
            throw e;
        }
    }

    private List<RowGroupIndex> parsed(
            MetadataReader metadataReader,
            HiveWriterVersion hiveWriterVersion,
            StripeId stripeId,
            StreamId streamId,
            OrcInputStream inputStream,
            @Nullable List<HiveBloomFilter> bloomFilters,
            RuntimeStats runtimeStats)
            throws IOException
    {
        return delegate.getRowIndexes(
                metadataReader,
                hiveWriterVersion,
                stripeId,
                streamId,
                inputStream,
                bloomFilters,
                runtimeStats,
                file.version().modifiedMillis());
    }

    /**
     * Reads the missing chunks and the other streams in one request, if the data source merges adjacent ranges. Streams within those chunks are
     * copied from them.
     */
    private static void read(
            OrcDataSource source,
            Map<StreamId, DiskRange> uncached,
            FooterChunks chunks,
            Map<StreamId, OrcDataSourceInput> inputs)
            throws IOException
    {
        Map<Object, DiskRange> reads = new LinkedHashMap<>();
        Map<StreamId, DiskRange> covered = new LinkedHashMap<>();
        chunks.missing().forEach(run -> reads.put(run, new DiskRange(run.position(), run.length())));
        uncached.forEach((stream, range) -> {
            if (chunks.covers(range.getOffset(), range.getLength())) {
                covered.put(stream, range);
            }
            else {
                reads.put(stream, range);
            }
        });
        source.readFully(reads).forEach((what, input) -> {
            if (what instanceof StreamId stream) {
                inputs.put(stream, input);
            }
            else {
                Run run = (Run) what;
                chunks.add(run, input.getInput().readSlice(run.length()).getBytes());
            }
        });
        covered.forEach((stream, range) -> inputs.put(stream, input(slice(chunks, range.getOffset(), range.getLength()))));
    }

    /** Whether a reader's file is the one whose version is known: a thread may open others while it opens that one. */
    private boolean isOf(OrcDataSource source, StripeId stripeId)
    {
        known = source.getSize() == file.version().lengthBytes() && stripeId.getSourceId().toString().equals(file.version().path());
        return known;
    }

    private FooterKey key(StripeId stripeId, StreamId stream)
    {
        return new FooterKey(file.version(), stripeId.getOffset(), stream);
    }

    private static Slice slice(FooterChunks chunks, long position, int length)
    {
        byte[] bytes = new byte[length];
        chunks.copy(position, bytes, 0, length);
        return Slices.wrappedBuffer(bytes);
    }

    private static OrcDataSourceInput input(Slice slice)
    {
        return new OrcDataSourceInput(slice.getInput(), slice.length());
    }
}
