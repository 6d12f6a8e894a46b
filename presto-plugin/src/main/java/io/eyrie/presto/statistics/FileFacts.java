// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.Type;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.eyrie.presto.fragment.FileProofs.KnownFacts;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The minimum, the maximum and the nulls of each column of a file, in few bytes. Immutable. */
final class FileFacts
        implements KnownFacts
{
    /*
     * Bytes   docs/formats/file-facts-v1.md: for each column of the table, in order, a byte of flags, and the minimum and maximum if there are any
     * Ranges  several (one for each row group) become the one from the least to the greatest value
     * Texts   longer than MOST_TEXT_BYTES are left out, so that the facts of a file stay small: the column has no minimum, or no maximum
     */
    static final int MOST_TEXT_BYTES = 128;
    private static final int KNOWN = 1;
    private static final int NULLS = 2;
    private static final int VALUES = 4;
    private static final int LEAST = 8;
    private static final int MOST = 16;
    private static final int OF_LENGTH = 32;

    private final byte[] bytes;

    FileFacts(byte[] bytes)
    {
        this.bytes = bytes;
    }

    /** Encodes the domains of the columns of a table; empty ones are not known. */
    static FileFacts of(List<Optional<Domain>> columns)
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        columns.forEach(column -> write(column, out));
        return new FileFacts(out.toByteArray());
    }

    private static void write(Optional<Domain> column, ByteArrayDataOutput out)
    {
        if (column.isEmpty()) {
            out.writeByte(0);
            return;
        }
        ValueSet values = column.get().getValues();
        Optional<Range> span = values.isNone() || values.isAll() ? Optional.empty() : Optional.of(values.getRanges().getSpan());
        Optional<Object> least = span.flatMap(Range::getLowValue).filter(FileFacts::isShort);
        Optional<Object> most = span.flatMap(Range::getHighValue).filter(FileFacts::isShort);
        boolean ofLength = least.or(() -> most).filter(Slice.class::isInstance).isPresent();
        out.writeByte(KNOWN + (column.get().isNullAllowed() ? NULLS : 0) + (values.isNone() ? 0 : VALUES) + (least.isPresent() ? LEAST : 0)
                + (most.isPresent() ? MOST : 0) + (ofLength ? OF_LENGTH : 0));
        least.ifPresent(value -> write(value, out));
        most.ifPresent(value -> write(value, out));
    }

    private static boolean isShort(Object value)
    {
        return !(value instanceof Slice text) || text.length() <= MOST_TEXT_BYTES;
    }

    private static void write(Object value, ByteArrayDataOutput out)
    {
        if (value instanceof Slice text) {
            out.writeByte(text.length());
            out.write(text.getBytes());
        }
        else {
            out.writeLong(value instanceof Boolean truth ? truth ? 1 : 0 : (Long) value);
        }
    }

    byte[] bytes()
    {
        return bytes;
    }

    @Override
    public Optional<Domain> column(int index, Type type)
    {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        for (int i = 0; i < index; i++) {
            int flags = in.get();
            skip(flags, LEAST, in);
            skip(flags, MOST, in);
        }
        int flags = in.get();
        if ((flags & KNOWN) == 0) {
            return Optional.empty();
        }
        boolean nulls = (flags & NULLS) != 0;
        if ((flags & VALUES) == 0) {
            return Optional.of(nulls ? Domain.onlyNull(type) : Domain.none(type));
        }
        Optional<Object> least = read(flags, LEAST, type, in);
        Optional<Object> most = read(flags, MOST, type, in);
        ValueSet values = least.isEmpty() && most.isEmpty() ? ValueSet.all(type) : ValueSet.ofRanges(range(type, least, most));
        return Optional.of(Domain.create(values, nulls));
    }

    private static Range range(Type type, Optional<Object> least, Optional<Object> most)
    {
        if (least.isEmpty()) {
            return Range.lessThanOrEqual(type, most.orElseThrow());
        }
        return most.isEmpty() ? Range.greaterThanOrEqual(type, least.get()) : Range.range(type, least.get(), true, most.get(), true);
    }

    private static void skip(int flags, int bound, ByteBuffer in)
    {
        if ((flags & bound) != 0) {
            int length = (flags & OF_LENGTH) == 0 ? Long.BYTES : Byte.toUnsignedInt(in.get());
            in.position(in.position() + length);
        }
    }

    private static Optional<Object> read(int flags, int bound, Type type, ByteBuffer in)
    {
        if ((flags & bound) == 0) {
            return Optional.empty();
        }
        if ((flags & OF_LENGTH) != 0) {
            byte[] text = new byte[Byte.toUnsignedInt(in.get())];
            in.get(text);
            return Optional.of(Slices.wrappedBuffer(text));
        }
        long number = in.getLong();
        return Optional.of(type.getJavaType() == boolean.class ? (Object) (number != 0) : (Object) number);
    }
}
