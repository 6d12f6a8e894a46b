// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.RunLengthEncodedBlock;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.DateType;
import com.facebook.presto.common.type.TimestampType;
import com.facebook.presto.common.type.Type;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The range of the values in a column of timestamps or dates. Immutable.
 *
 * @param hasNulls whether the column contains null
 * @param least the smallest value, greater than {@code most} if there is no value other than null
 * @param most the largest value
 */
public record ValueRange(boolean hasNulls, long least, long most)
{
    /** The range of a column without rows. */
    public static final ValueRange EMPTY = new ValueRange(false, Long.MAX_VALUE, Long.MIN_VALUE);

    private static final int MAGIC = 0x45595231; // EYR1
    private static final int BYTES = Integer.BYTES + Byte.BYTES + 2 * Long.BYTES;

    /** Whether columns of this type have a range. */
    public static boolean isOf(Type type)
    {
        return type instanceof DateType || type.equals(TimestampType.TIMESTAMP);
    }

    /** Returns the range extended by the values of a block. */
    public ValueRange with(Type type, Block block)
    {
        if (!isOf(type)) {
            throw new IllegalArgumentException("not a type of timestamps or dates: " + type);
        }
        Block loaded = block.getLoadedBlock();
        int positions = loaded instanceof RunLengthEncodedBlock ? Math.min(loaded.getPositionCount(), 1) : loaded.getPositionCount();
        boolean nulls = hasNulls;
        long smallest = least;
        long largest = most;
        for (int position = 0; position < positions; position++) {
            if (loaded.isNull(position)) {
                nulls = true;
            }
            else {
                long value = type.getLong(loaded, position);
                smallest = Math.min(smallest, value);
                largest = Math.max(largest, value);
            }
        }
        return new ValueRange(nulls, smallest, largest);
    }

    /** Returns all values that the column may contain. */
    public Domain domain(Type type)
    {
        if (least > most) {
            return hasNulls ? Domain.onlyNull(type) : Domain.none(type);
        }
        return Domain.create(ValueSet.ofRanges(Range.range(type, least, true, most, true)), hasNulls);
    }

    /** Returns the stored form, {@code docs/formats/fragment-result-v2.md}. */
    byte[] toBytes()
    {
        return ByteBuffer.allocate(BYTES).putInt(MAGIC).put((byte) (hasNulls ? 1 : 0)).putLong(least).putLong(most).array();
    }

    /** Reads a stored range; empty if the bytes do not encode one. */
    static Optional<ValueRange> read(byte[] bytes)
    {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return bytes.length == BYTES && in.getInt() == MAGIC
                ? Optional.of(new ValueRange(in.get() != 0, in.getLong(), in.getLong()))
                : Optional.empty();
    }
}
