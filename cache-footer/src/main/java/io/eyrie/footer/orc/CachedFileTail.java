// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.metadata.Footer;
import com.facebook.presto.orc.metadata.Metadata;
import com.facebook.presto.orc.metadata.OrcFileTail;
import com.facebook.presto.orc.metadata.OrcType;
import com.facebook.presto.orc.metadata.statistics.ColumnStatistics;
import com.facebook.presto.orc.metadata.statistics.StripeStatistics;
import io.airlift.slice.Slice;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

/** A cached file tail: its bytes, in Presto's form, and their parsed contents once an ORC reader has parsed them. Immutable. */
public final class CachedFileTail
{
    /* Estimates from the most numerous parts; the test compares them with measured tails. */
    private static final int TYPE_BYTES = 200;
    private static final int FIELD_BYTES = 80;
    private static final int STRIPE_BYTES = 90;
    private static final int USER_BYTES = 160;

    private final OrcFileTail tail;
    private final @Nullable Footer footer;
    private final @Nullable Metadata metadata;

    CachedFileTail(OrcFileTail tail)
    {
        this(tail, null, null);
    }

    private CachedFileTail(OrcFileTail tail, @Nullable Footer footer, @Nullable Metadata metadata)
    {
        this.tail = requireNonNull(tail, "tail is null");
        this.footer = footer;
        this.metadata = metadata;
    }

    CachedFileTail with(Footer parsed)
    {
        return new CachedFileTail(tail, parsed, metadata);
    }

    CachedFileTail with(Metadata parsed)
    {
        return new CachedFileTail(tail, footer, parsed);
    }

    OrcFileTail tail()
    {
        return tail;
    }

    Optional<Footer> footer()
    {
        return Optional.ofNullable(footer);
    }

    /** The stripe statistics. */
    Optional<Metadata> metadata()
    {
        return Optional.ofNullable(metadata);
    }

    /** Returns the estimated memory that this retains, in bytes. */
    public long weight()
    {
        long statistics = metadata == null ? 0 : metadata.getStripeStatsList().stream().mapToLong(StripeStatistics::getRetainedSizeInBytes).sum();
        return tail.getTotalSize() + (footer == null ? 0 : weight(footer)) + statistics;
    }

    private static long weight(Footer footer)
    {
        long types = 0;
        for (OrcType type : footer.getTypes()) {
            types += TYPE_BYTES + fieldNames(type).stream().mapToLong(name -> FIELD_BYTES + name.length()).sum();
        }
        long user = footer.getUserMetadata().values().stream().mapToLong(Slice::getRetainedSize).map(bytes -> USER_BYTES + bytes).sum();
        return types + user + (long) footer.getStripes().size() * STRIPE_BYTES
                + footer.getFileStats().stream().mapToLong(ColumnStatistics::getRetainedSizeInBytes).sum();
    }

    /* Presto's writer names the fields of lists and maps; other writers name only those of structs. */
    @SuppressWarnings("NullAway")
    private static List<String> fieldNames(OrcType type)
    {
        return requireNonNullElse(type.getFieldNames(), List.of());
    }
}
