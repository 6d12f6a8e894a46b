package io.eyrie.footer.orc;

import com.facebook.presto.orc.OrcDataSourceId;
import com.facebook.presto.orc.metadata.ExceptionWrappingMetadataReader;
import com.facebook.presto.orc.metadata.MetadataReader;
import com.facebook.presto.orc.metadata.OrcType;
import com.facebook.presto.orc.metadata.StripeFooter;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.footer.FooterCache;
import io.eyrie.footer.FooterChunks;
import io.eyrie.footer.FooterFile;
import io.eyrie.footer.FooterKey;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Parses each stripe's footer once for all readers. Of one {@code OrcReader}, and used by one thread at a time. */
final class ParsedFooterReader
        extends ForwardingMetadataReader
{
    /*
     * Seam        OrcReader makes its reader of metadata by itself, and shows it to the source of tails alone, wrapped. The wrapper's delegate is replaced there; where it
     *             cannot be, readers parse for themselves
     * Pairing     OrcReader makes its source of stripes next, on the same thread. Who is not fetched by it is dropped with the next
     * Order       the reader of a stripe asks that source for a footer's bytes, and this, at once, for what they say
     */
    private static final LimitedLog log = new LimitedLog(ParsedFooterReader.class, Level.WARNING);
    private static final Optional<Field> DELEGATE = delegate("delegate");
    private static final ThreadLocal<ParsedFooterReader> LATEST = new ThreadLocal<>();

    private final Class<?> kind;
    private @Nullable Asked asked;

    /** A footer whose bytes the reader has. */
    record Asked(FooterCache<KeptStripeFooter> cache, FooterKey key, FooterFile file, KeptStripeFooter kept, FooterChunks chunks)
    {}

    private ParsedFooterReader(MetadataReader delegate)
    {
        super(delegate);
        kind = delegate.getClass();
    }

    static Optional<Field> delegate(String name)
    {
        try {
            Field field = ExceptionWrappingMetadataReader.class.getDeclaredField(name);
            field.setAccessible(true);
            return Optional.of(field);
        }
        catch (ReflectiveOperationException | RuntimeException e) {
            System.getLogger(ParsedFooterReader.class.getName())
                    .log(Level.WARNING,
                            "This release of Presto's ORC reader has another shape: footers of stripes are kept as bytes and parsed at each open", e);
            return Optional.empty();
        }
    }

    /** Puts one into the reader that is being made on this thread, for the source of stripes that is made next. */
    static void install(MetadataReader reader)
    {
        LATEST.remove();
        if (DELEGATE.isPresent() && reader instanceof ExceptionWrappingMetadataReader) {
            try {
                ParsedFooterReader installed = new ParsedFooterReader((MetadataReader) requireNonNull(DELEGATE.get().get(reader), "no delegate"));
                DELEGATE.get().set(reader, installed);
                LATEST.set(installed);
            }
            catch (IllegalAccessException e) {
                log.log("Footers of stripes are parsed at each open: Java does not let Presto's reader be changed", e);
            }
        }
    }

    /** The one that was installed last on this thread, once. */
    static Optional<ParsedFooterReader> takeInstalled()
    {
        Optional<ParsedFooterReader> installed = Optional.ofNullable(LATEST.get());
        LATEST.remove();
        return installed;
    }

    /** Notes which footer is to be parsed next; null if it is not of the cache. */
    void ask(@Nullable Asked next)
    {
        asked = next;
    }

    @Override
    public StripeFooter readStripeFooter(OrcDataSourceId orcDataSourceId, List<OrcType> types, InputStream inputStream)
            throws IOException
    {
        Asked current = asked;
        asked = null;
        if (current == null) {
            return super.readStripeFooter(orcDataSourceId, types, inputStream);
        }
        Optional<StripeFooter> parsed = current.kept().footer(kind);
        if (parsed.isPresent()) {
            return parsed.get();
        }
        try {
            StripeFooter footer = super.readStripeFooter(orcDataSourceId, types, inputStream);
            current.cache().replace(current.key(), current.file(), current.kept(), current.kept().parsed(kind, footer));
            return footer;
        }
        catch (IOException | RuntimeException e) {
            current.cache().invalidate(current.key());
            current.chunks().forget();
            throw e;
        }
    }
}
