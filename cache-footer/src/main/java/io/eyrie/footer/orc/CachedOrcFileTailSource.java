// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcWriteValidation;
import com.facebook.presto.orc.cache.OrcFileTailSource;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.OrcFileTail;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import io.eyrie.footer.FooterStore;
import io.eyrie.footer.FooterTail;
import io.eyrie.footer.OpenedFiles;
import io.eyrie.footer.orc.ParsedFooterReader.TailRequest;

import java.io.IOException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Returns file tails from memory, from the store, or from the file, if the file's version is known; the delegate handles other files. Thread-safe. */
public final class CachedOrcFileTailSource
        implements OrcFileTailSource
{
    private final OrcFileTailSource delegate;
    private final OpenedFiles files;
    private final FooterCache<CachedFileTail> cache;
    private final FooterStore store;

    /**
     * Creates a source over the one that parses.
     *
     * @throws io.eyrie.cache.host.UnsupportedHostException if Presto's ORC reader lacks a field that Eyrie sets
     */
    public CachedOrcFileTailSource(OrcFileTailSource delegate, OpenedFiles files, FooterCache<CachedFileTail> cache, FooterStore store)
    {
        ParsedFooterReader.requireHost();
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.files = requireNonNull(files, "files is null");
        this.cache = requireNonNull(cache, "cache is null");
        this.store = requireNonNull(store, "store is null");
    }

    @Override
    public OrcFileTail getOrcFileTail(
            OrcDataSource source,
            MetadataReader metadataReader,
            Optional<OrcWriteValidation> writeValidation,
            boolean cacheable,
            long fileModificationTime)
            throws IOException
    {
        Optional<FooterFile> known = files.current(source.getId().toString())
                .filter(file -> writeValidation.isEmpty() && file.version().lengthBytes() == source.getSize());
        Optional<ParsedFooterReader> parser = known.flatMap(file -> ParsedFooterReader.install(metadataReader));
        if (known.isEmpty() || !cache.serves(known.get())) {
            return delegate.getOrcFileTail(source, metadataReader, writeValidation, cacheable, fileModificationTime);
        }
        FooterFile file = known.get();
        FooterKey key = new FooterKey(file.version(), 0, "");
        CachedFileTail kept = cache.get(key, file, () -> new CachedFileTail(load(source, new CheckedMetadataReader(metadataReader, source), file)));
        parser.ifPresent(reader -> reader.askTail(new TailRequest(cache, key, file, kept)));
        return kept.tail();
    }

    private OrcFileTail load(OrcDataSource source, MetadataReader metadataReader, FooterFile file)
            throws IOException
    {
        FooterChunks chunks = store.tail(file);
        try {
            return parse(source, metadataReader, file, chunks);
        }
        catch (IOException | RuntimeException e) {
            Optional<FooterChunks> fresh = chunks.forget();
            if (fresh.isEmpty()) {
                throw e;
            }
            return parse(source, metadataReader, file, fresh.get());
        }
    }

    private OrcFileTail parse(OrcDataSource source, MetadataReader metadataReader, FooterFile file, FooterChunks chunks)
            throws IOException
    {
        FooterTail tail = new FooterTail(chunks, source.getSize(), source::readFully);
        OrcFileTail parsed = delegate.getOrcFileTail(
                new TailOrcDataSource(source, tail),
                metadataReader,
                Optional.empty(),
                true,
                file.version().modifiedMillis());
        chunks.keep();
        return compacted(parsed);
    }

    /**
     * Copies the tail out of the longer buffer that it was read into. A tail with a stripe cache is not copied: the stripe cache is part of that
     * buffer, and by far the largest part.
     */
    private static OrcFileTail compacted(OrcFileTail tail)
    {
        if (tail.getDwrfStripeCacheData().isPresent()) {
            return tail;
        }
        return new OrcFileTail(
                tail.getHiveWriterVersion(),
                tail.getBufferSize(),
                tail.getCompressionKind(),
                copy(tail.getFooterSlice()),
                tail.getFooterSize(),
                copy(tail.getMetadataSlice()),
                tail.getMetadataSize(),
                Optional.empty(),
                tail.getFileModificationTime());
    }

    private static Slice copy(Slice slice)
    {
        return Slices.wrappedBuffer(slice.getBytes());
    }
}
