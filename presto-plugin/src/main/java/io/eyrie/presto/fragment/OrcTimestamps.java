// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.orc.DecodeTimestampOptions;
import com.facebook.presto.orc.NoopOrcAggregatedMemoryContext;
import com.facebook.presto.orc.NoopOrcLocalMemoryContext;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcDecompressor;
import com.facebook.presto.orc.OrcReader;
import com.facebook.presto.orc.metadata.StripeInformation;
import com.facebook.presto.orc.proto.OrcProto;
import com.facebook.presto.orc.stream.OrcInputStream;
import com.facebook.presto.orc.stream.SharedBuffer;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.eyrie.fragment.statistics.ColumnDomains;
import org.joda.time.DateTimeZone;
import org.jspecify.annotations.Nullable;

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
 * Reads the timestamp statistics of whole ORC files written by Hive or Spark, which Presto's footer classes leave out. Used by one thread.
 *
 * <p>Such a file stores the time from the beginning of 2015 in the writer's zone to the value. Presto adds it to the beginning of 2015 in
 * {@code hive.time-zone}. The statistics store the writer's wall clock. If the offset of the writer's zone never changes, the two agree. Otherwise,
 * the offset of a value may differ from that of 2015, by an amount that depends on the writer's own time zone database.
 */
final class OrcTimestamps
{
    /** More than any zone ever moved its clock. */
    private static final long SLACK = Duration.ofHours(26).toMillis();
    /** The maximum number of stripes whose footers are read for the writer's zone. In a file merged from others, each stripe has its own. */
    private static final int MAX_STRIPES = 8;
    private static final long BEGINNING_OF_2015 = Instant.parse("2015-01-01T00:00:00Z").toEpochMilli();

    private final OrcReader reader;
    private final OrcStatistics.Tail tail;
    private final DateTimeZone zone;
    private OrcProto.@Nullable Footer footer;
    private Optional<ZoneOffset> writer = Optional.empty();
    private boolean writerRead;

    /**
     * Creates a reader for one file. It reads at the first use.
     *
     * @param tail has the tail that {@code reader} parsed
     * @param zone the zone of {@code hive.time-zone}
     */
    OrcTimestamps(OrcReader reader, OrcStatistics.Tail tail, DateTimeZone zone)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.tail = requireNonNull(tail, "tail is null");
        this.zone = requireNonNull(zone, "zone is null");
    }

    /** Returns all values that a column may contain, as Presto reads them. */
    Domain domain(int column)
            throws IOException
    {
        OrcProto.ColumnStatistics statistics = footer().getStatistics(column);
        long rows = reader.getFooter().getNumberOfRows();
        OptionalLong nulls = statistics.hasNumberOfValues() ? OptionalLong.of(rows - statistics.getNumberOfValues()) : OptionalLong.empty();
        OrcProto.TimestampStatistics times = statistics.getTimestampStatistics();
        boolean clock = times.hasMinimumUtc() && times.hasMaximumUtc();
        boolean moments = !clock && times.hasMinimum() && times.hasMaximum();
        long least = clock ? times.getMinimumUtc() : moments ? times.getMinimum() : 0;
        // before 1970, writers combine seconds and nanoseconds in different ways
        if (least <= SLACK) {
            return ColumnDomains.of(TIMESTAMP, Optional.empty(), Optional.empty(), nulls, OptionalLong.of(rows));
        }
        long most = clock ? times.getMaximumUtc() : times.getMaximum();
        Optional<ZoneOffset> offset = writersOffset();
        long slack = offset.isPresent() ? 0 : SLACK;
        // older files store instants, not the wall clock
        long clocks = moments ? TimeUnit.SECONDS.toMillis(offset.orElse(ZoneOffset.UTC).getTotalSeconds()) : 0;
        long shift = clocks + TimeUnit.SECONDS.toMillis(new DecodeTimestampOptions(zone, false).getBaseSeconds()) - BEGINNING_OF_2015;
        return ColumnDomains.of(TIMESTAMP, Optional.of(least + shift - slack), Optional.of(most + shift + slack), nulls, OptionalLong.of(rows));
    }

    /** Returns all values that a column may contain on a node with another zone, by those that it may contain on this node. */
    static Domain inAnyZone(Domain domain)
    {
        ValueSet values = domain.getValues();
        if (values.isNone() || values.isAll()) {
            return domain;
        }
        Range span = values.getRanges().getSpan();
        Range wider = Range.range(TIMESTAMP, (Long) span.getLowBoundedValue() - SLACK, true, (Long) span.getHighBoundedValue() + SLACK, true);
        return Domain.create(ValueSet.ofRanges(wider), domain.isNullAllowed());
    }

    private OrcProto.Footer footer()
            throws IOException
    {
        OrcProto.Footer known = footer;
        if (known == null) {
            try (InputStream in = stream(tail.read().getFooterSlice())) {
                known = OrcProto.Footer.parseFrom(in);
            }
            footer = known;
        }
        return known;
    }

    private Optional<ZoneOffset> writersOffset()
            throws IOException
    {
        if (!writerRead) {
            writer = readWritersOffset();
            writerRead = true;
        }
        return writer;
    }

    /* Returns the offset if all stripes were written in zones with this one fixed offset. */
    private Optional<ZoneOffset> readWritersOffset()
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

    /* Older writers record no zone, and others use their own names. */
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
                OrcDecompressor.createOrcDecompressor(source.getId(), tail.read().getCompressionKind(), tail.read().getBufferSize()),
                Optional.empty(),
                NoopOrcAggregatedMemoryContext.NOOP_ORC_AGGREGATED_MEMORY_CONTEXT,
                compressed.length());
    }
}
