// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Marker;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.hive.metastore.Column;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.airlift.slice.Slice;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.metastore.stored.PackedText;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** The predicates over partition columns that selected partition names. */
public record Predicates(Map<Column, Domain> domains)
{
    static final int MOST_VALUES = 1_000;

    private static final long VALUE_BYTES = 150; // a range with its markers and their blocks

    public Predicates
    {
        domains = Map.copyOf(domains);
    }

    /** Whether there are too many values and ranges for a key. */
    public boolean isLong()
    {
        return domains.values().stream().mapToLong(Predicates::values).sum() > MOST_VALUES;
    }

    /** Returns their estimated size. */
    long bytes()
    {
        return domains.values().stream().mapToLong(domain -> VALUE_BYTES * values(domain) + texts(domain)).sum();
    }

    /**
     * Returns a hash of everything that distinguishes these predicates from others, the same in each process; empty if a value is of a kind that has no bytes.
     */
    Optional<BlobKey> identity()
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        boolean whole = domains.entrySet().stream().sorted(Comparator.comparing(domain -> domain.getKey().getName())).allMatch(domain -> {
            EntryCodec.write(domain.getKey(), out);
            return write(domain.getValue(), out);
        });
        return whole ? Optional.of(BlobKey.of(ByteBuffer.wrap(out.toByteArray()))) : Optional.empty();
    }

    /* Each list is preceded by its size and each text by its length, so that different domains have different bytes. */
    private static boolean write(Domain domain, ByteArrayDataOutput out)
    {
        PackedText.write(domain.getType().getTypeSignature().toString(), out);
        out.writeBoolean(domain.isNullAllowed());
        return domain.getValues().getValuesProcessor().<Boolean>transform(
                ranges -> {
                    out.writeByte('r');
                    out.writeInt(ranges.getRangeCount());
                    return ranges.getOrderedRanges().stream().allMatch(range -> write(range.getLow(), out) && write(range.getHigh(), out));
                },
                discrete -> {
                    return false; // in no order
                },
                any -> {
                    out.writeByte(any.isAll() ? 'a' : 'o');
                    return true;
                });
    }

    private static boolean write(Marker marker, ByteArrayDataOutput out)
    {
        PackedText.write(marker.getBound().name(), out);
        Object value = marker.getValueBlock().isPresent() ? marker.getValue() : "";
        if (value instanceof Long number) {
            out.writeByte('l');
            out.writeLong(number);
        }
        else if (value instanceof Double number) {
            out.writeByte('d');
            out.writeLong(Double.doubleToRawLongBits(number));
        }
        else if (value instanceof Boolean bool) {
            out.writeByte('b');
            out.writeBoolean(bool);
        }
        else if (value instanceof Slice slice) {
            out.writeByte('s');
            out.writeInt(slice.length());
            out.write(slice.getBytes());
        }
        else if (value instanceof String) {
            out.writeByte('u');
        }
        else {
            return false;
        }
        return true;
    }

    private static long values(Domain domain)
    {
        return domain.getValues().getValuesProcessor().<Integer>transform(ranges -> ranges.getRangeCount(), discrete -> discrete.getValues().size(),
                any -> 1);
    }

    private static long texts(Domain domain)
    {
        return domain.getValues().getValuesProcessor().<Long>transform(
                ranges -> ranges.getOrderedRanges().stream().mapToLong(Predicates::texts).sum(),
                discrete -> discrete.getValues().stream().mapToLong(Predicates::text).sum(),
                any -> 0L);
    }

    private static long texts(Range range)
    {
        return range.getLowValue().map(Predicates::text).orElse(0L) + range.getHighValue().map(Predicates::text).orElse(0L);
    }

    private static long text(Object value)
    {
        return value instanceof Slice slice ? slice.length() : 0;
    }
}
