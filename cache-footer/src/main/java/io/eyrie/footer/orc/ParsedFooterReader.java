// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.DwrfEncryptionProvider;
import com.facebook.presto.orc.DwrfKeyProvider;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcDataSourceId;
import com.facebook.presto.orc.OrcDecompressor;
import com.facebook.presto.orc.metadata.ColumnEncoding;
import com.facebook.presto.orc.metadata.ExceptionWrappingMetadataReader;
import com.facebook.presto.orc.metadata.Footer;
import com.facebook.presto.orc.metadata.Metadata;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.OrcMetadataReader;
import com.facebook.presto.orc.metadata.OrcType;
import com.facebook.presto.orc.metadata.PostScript.HiveWriterVersion;
import com.facebook.presto.orc.metadata.StripeFooter;
import io.eyrie.cache.host.HostField;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** Parses the footer of a file and of each stripe once for all readers. Belongs to one {@code OrcReader}; used by one thread at a time. */
final class ParsedFooterReader
        extends ForwardingMetadataReader
{
    /*
     * Seam        OrcReader creates its metadata reader itself, wraps it, and passes it only to the tail source. There the wrapper's delegate is
     *             replaced
     * Pairing     OrcReader then creates its stripe source on the same thread. An instance that this source does not take is dropped with the next
     * Order       to read a stripe, the reader asks the stripe source for a footer's bytes and then immediately asks this class to parse them
     * Tails       only of ORC: the contents of a DWRF footer depend on the reader's keys and options
     * Encodings   mostly the same in all stripes: a shared map is still in the processor's cache when the next stripe is read
     */
    private static final HostField<ExceptionWrappingMetadataReader, MetadataReader> DELEGATE = HostField.of(
            ExceptionWrappingMetadataReader.class,
            "delegate",
            MetadataReader.class);
    private static final ThreadLocal<ParsedFooterReader> LATEST = new ThreadLocal<>();

    private final Class<?> kind;
    private @Nullable TailRequest askedTail;
    private @Nullable FooterRequest asked;
    private Map<Integer, ColumnEncoding> encodings = Map.of();

    /** A stripe footer whose bytes the reader has. */
    record FooterRequest(FooterCache<CachedStripeFooter> cache, FooterKey key, FooterFile file, CachedStripeFooter kept, FooterChunks chunks)
    {}

    /** The tail whose bytes the reader has. */
    record TailRequest(FooterCache<CachedFileTail> cache, FooterKey key, FooterFile file, CachedFileTail kept)
    {
        TailRequest replacedBy(CachedFileTail parsed)
        {
            cache.replace(key, file, kept, parsed);
            return new TailRequest(cache, key, file, parsed);
        }
    }

    private ParsedFooterReader(MetadataReader delegate)
    {
        super(delegate);
        kind = delegate.getClass();
    }

    /** Fails if Presto's ORC reader lacks the field that {@link #install} sets. */
    static void requireHost()
    {
        requireNonNull(DELEGATE, "DELEGATE is null");
    }

    /** Installs an instance in the reader that is being created on this thread, for the stripe source that is created next; empty if it cannot. */
    static Optional<ParsedFooterReader> install(MetadataReader reader)
    {
        LATEST.remove();
        if (!(reader instanceof ExceptionWrappingMetadataReader wrapper)) {
            return Optional.empty();
        }
        ParsedFooterReader installed = new ParsedFooterReader(DELEGATE.get(wrapper));
        DELEGATE.set(wrapper, installed);
        LATEST.set(installed);
        return Optional.of(installed);
    }

    /** Returns the instance that was last installed on this thread, once. */
    static Optional<ParsedFooterReader> takeInstalled()
    {
        Optional<ParsedFooterReader> installed = Optional.ofNullable(LATEST.get());
        LATEST.remove();
        return installed;
    }

    /** Sets the stripe footer to be parsed next; null if it is not from the cache. */
    void ask(@Nullable FooterRequest next)
    {
        asked = next;
    }

    /** Sets the tail whose footer and statistics are to be parsed next. */
    void askTail(TailRequest next)
    {
        if (kind == OrcMetadataReader.class) {
            askedTail = next;
        }
    }

    @Override
    public Footer readFooter(
            HiveWriterVersion hiveWriterVersion,
            InputStream inputStream,
            DwrfEncryptionProvider dwrfEncryptionProvider,
            DwrfKeyProvider dwrfKeyProvider,
            OrcDataSource orcDataSource,
            Optional<OrcDecompressor> decompressor)
            throws IOException
    {
        return parsed(
                CachedFileTail::footer,
                CachedFileTail::with,
                () -> super.readFooter(hiveWriterVersion, inputStream, dwrfEncryptionProvider, dwrfKeyProvider, orcDataSource, decompressor));
    }

    @Override
    public Metadata readMetadata(HiveWriterVersion hiveWriterVersion, InputStream inputStream)
            throws IOException
    {
        return parsed(CachedFileTail::metadata, CachedFileTail::with, () -> super.readMetadata(hiveWriterVersion, inputStream));
    }

    private <T> T parsed(Function<CachedFileTail, Optional<T>> kept, BiFunction<CachedFileTail, T, CachedFileTail> with, FooterCache.Loader<T> parser)
            throws IOException
    {
        TailRequest current = askedTail;
        if (current == null) {
            return parser.load();
        }
        Optional<T> present = kept.apply(current.kept());
        if (present.isPresent()) {
            return present.get();
        }
        try {
            T parsed = parser.load();
            askedTail = current.replacedBy(with.apply(current.kept(), parsed));
            return parsed;
        }
        catch (IOException | RuntimeException e) {
            current.cache().invalidate(current.key());
            throw e;
        }
    }

    @Override
    public StripeFooter readStripeFooter(OrcDataSourceId orcDataSourceId, List<OrcType> types, InputStream inputStream)
            throws IOException
    {
        FooterRequest current = asked;
        asked = null;
        if (current == null) {
            return super.readStripeFooter(orcDataSourceId, types, inputStream);
        }
        Optional<StripeFooter> parsed = current.kept().footer(kind);
        if (parsed.isPresent()) {
            encodings = parsed.get().getColumnEncodings();
            return parsed.get();
        }
        try {
            StripeFooter footer = sharing(super.readStripeFooter(orcDataSourceId, types, inputStream));
            current.cache().replace(current.key(), current.file(), current.kept(), current.kept().parsed(kind, footer));
            return footer;
        }
        catch (IOException | RuntimeException e) {
            current.cache().invalidate(current.key());
            current.chunks().forget();
            throw e;
        }
    }

    /** Returns the footer with the encodings map of the previous footer, if the encodings are the same. */
    private StripeFooter sharing(StripeFooter footer)
    {
        Map<Integer, ColumnEncoding> own = footer.getColumnEncodings();
        if (own.size() == encodings.size() && own.entrySet().stream().allMatch(entry -> isSame(entry.getValue(), encodings.get(entry.getKey())))) {
            return new StripeFooter(footer.getStreams(), encodings, footer.getStripeEncryptionGroups());
        }
        encodings = own;
        return footer;
    }

    private static boolean isSame(ColumnEncoding one, @Nullable ColumnEncoding other)
    {
        return other != null && one.getColumnEncodingKind() == other.getColumnEncodingKind() && one.getDictionarySize() == other.getDictionarySize()
                && one.getAdditionalSequenceEncodings().isEmpty() && other.getAdditionalSequenceEncodings().isEmpty();
    }
}
