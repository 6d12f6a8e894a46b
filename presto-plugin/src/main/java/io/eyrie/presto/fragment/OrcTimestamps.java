package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.orc.DecodeTimestampOptions;
import com.facebook.presto.orc.NoopOrcAggregatedMemoryContext;
import com.facebook.presto.orc.NoopOrcLocalMemoryContext;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcDecompressor;
import com.facebook.presto.orc.OrcReader;
import com.facebook.presto.orc.metadata.OrcFileTail;
import com.facebook.presto.orc.metadata.StripeInformation;
import com.facebook.presto.orc.proto.OrcProto;
import com.facebook.presto.orc.stream.OrcInputStream;
import com.facebook.presto.orc.stream.SharedBuffer;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.eyrie.fragment.statistics.ColumnDomains;
import org.joda.time.DateTimeZone;

import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static java.util.Objects.requireNonNull;

/**
 * Statistics of timestamps in whole ORC files of Hive and Spark, which Presto's classes for footers leave out. Of one thread.
 *
 * <p>Such a file has the time between its writer's beginning of 2015 and the value, and Presto adds its own beginning of 2015, by {@code hive.time-zone}. Statistics have
 * the writer's wall clock. Where the writer's zone has one offset for ever, that is all the same; where not, the offset of a value may differ from that of 2015, by more
 * or less as the writer's own tables of zones had it.
 */
final class OrcTimestamps
{
    /** More than any zone ever moved its clock. */
    private static final long SLACK = Duration.ofHours(26).toMillis();
    /** The footers of so many stripes are asked for the writer's zone: of a file that was put together from others, each has its own. */
    private static final int MAX_STRIPES = 8;
    private static final long BEGINNING_OF_2015 = Instant.parse("2015-01-01T00:00:00Z").toEpochMilli();

    private final OrcReader reader;
    private final OrcFileTail tail;
    private final DateTimeZone zone;

    /**
     * For one file.
     *
     * @param tail that {@code reader} parsed
     * @param zone of {@code hive.time-zone}
     */
    OrcTimestamps(OrcReader reader, OrcFileTail tail, DateTimeZone zone)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.tail = requireNonNull(tail, "tail is null");
        this.zone = requireNonNull(zone, "zone is null");
    }

    /** All that a column may hold, as Presto reads it. */
    Domain domain(int column)
            throws IOException
    {
        OrcProto.ColumnStatistics statistics;
        try (InputStream in = stream(tail.getFooterSlice())) {
            statistics = OrcProto.Footer.parseFrom(in).getStatistics(column);
        }
        long rows = reader.getFooter().getNumberOfRows();
        OptionalLong nulls = statistics.hasNumberOfValues() ? OptionalLong.of(rows - statistics.getNumberOfValues()) : OptionalLong.empty();
        OrcProto.TimestampStatistics times = statistics.getTimestampStatistics();
        boolean clock = times.hasMinimumUtc() && times.hasMaximumUtc();
        boolean moments = !clock && times.hasMinimum() && times.hasMaximum();
        long least = clock ? times.getMinimumUtc() : moments ? times.getMinimum() : 0;
        // before 1970 seconds and nanoseconds are put together in more than one way
        if (least <= SLACK) {
            return ColumnDomains.of(TIMESTAMP, Optional.empty(), Optional.empty(), nulls, OptionalLong.of(rows));
        }
        long most = clock ? times.getMaximumUtc() : times.getMaximum();
        Optional<ZoneOffset> writer = writersOffset();
        long slack = writer.isPresent() ? 0 : SLACK;
        // older files hold moments, not the wall clock
        long clocks = moments ? TimeUnit.SECONDS.toMillis(writer.orElse(ZoneOffset.UTC).getTotalSeconds()) : 0;
        long shift = clocks + TimeUnit.SECONDS.toMillis(new DecodeTimestampOptions(zone, false).getBaseSeconds()) - BEGINNING_OF_2015;
        return ColumnDomains.of(TIMESTAMP, Optional.of(least + shift - slack), Optional.of(most + shift + slack), nulls, OptionalLong.of(rows));
    }

    /* If all stripes were written in zones of this one offset for ever. */
    private Optional<ZoneOffset> writersOffset()
            throws IOException
    {
        List<StripeInformation> stripes = reader.getFooter().getStripes();
        if (stripes.size() > MAX_STRIPES) {
            return Optional.empty();
        }
        Set<Optional<ZoneOffset>> offsets = new HashSet<>();
        for (StripeInformation stripe : stripes) {
            byte[] footer = new byte[Math.toIntExact(stripe.getFooterLength())];
            reader.getOrcDataSource().readFully(stripe.getOffset() + stripe.getIndexLength() + stripe.getDataLength(), footer);
            try (InputStream in = stream(Slices.wrappedBuffer(footer))) {
                offsets.add(offset(OrcProto.StripeFooter.parseFrom(in).getWriterTimezone()));
            }
        }
        return offsets.size() == 1 ? offsets.iterator().next() : Optional.empty();
    }

    /* Older writers do not say, others by names of their own. */
    private static Optional<ZoneOffset> offset(String zone)
    {
        try {
            ZoneRules rules = ZoneId.of(zone).getRules();
            return rules.isFixedOffset() ? Optional.of(rules.getOffset(Instant.EPOCH)) : Optional.empty();
        }
        catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private InputStream stream(Slice compressed)
            throws IOException
    {
        OrcDataSource source = reader.getOrcDataSource();
        return new OrcInputStream(
                source.getId(),
                new SharedBuffer(NoopOrcLocalMemoryContext.NOOP_ORC_LOCAL_MEMORY_CONTEXT),
                compressed.getInput(),
                OrcDecompressor.createOrcDecompressor(source.getId(), tail.getCompressionKind(), tail.getBufferSize()),
                Optional.empty(),
                NoopOrcAggregatedMemoryContext.NOOP_ORC_AGGREGATED_MEMORY_CONTEXT,
                compressed.length());
    }
}
