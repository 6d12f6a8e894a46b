// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.block.DictionaryBlock;
import com.facebook.presto.common.block.LazyBlock;
import com.facebook.presto.common.block.RunLengthEncodedBlock;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.DateType.DATE;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP_MICROSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ValueRangeTest
{
    @ParameterizedTest
    @ValueSource(strings = {"timestamp", "date"})
    void everyValueIsWithin(String name)
    {
        Type type = name.equals("date") ? DATE : TIMESTAMP;
        assertThat(domain(type, values(type, 3L, -7L, 5L))).isEqualTo(between(type, -7, 5, false));
        assertThat(domain(type, values(type, 3L), values(type, -1L), values(type))).isEqualTo(between(type, -1, 3, false));
        assertThat(domain(type, values(type, -4L))).as("before 1970").isEqualTo(between(type, -4, -4, false));
    }

    @Test
    void nullsAreToldOfWhereverTheyAre()
    {
        assertThat(domain(TIMESTAMP, values(TIMESTAMP, 3L, null, 5L))).isEqualTo(between(TIMESTAMP, 3, 5, true));
        assertThat(domain(TIMESTAMP, values(TIMESTAMP, new Long[] {null}), values(TIMESTAMP, 5L))).isEqualTo(between(TIMESTAMP, 5, 5, true));
        assertThat(domain(DATE, values(DATE, 5L), values(DATE, null, null))).isEqualTo(between(DATE, 5, 5, true));
        assertThat(domain(DATE, values(DATE, null, null))).isEqualTo(Domain.onlyNull(DATE));
    }

    @Test
    void columnWithoutRowsHoldsNothing()
    {
        assertThat(domain(DATE)).isEqualTo(Domain.none(DATE));
        assertThat(domain(TIMESTAMP, values(TIMESTAMP), new RunLengthEncodedBlock(values(TIMESTAMP, 9L), 0))).isEqualTo(Domain.none(TIMESTAMP));
    }

    @Test
    void valuesOfEncodedBlocksAreThoseOfTheirPositions()
    {
        assertThat(domain(TIMESTAMP, new RunLengthEncodedBlock(values(TIMESTAMP, 9L), 100))).isEqualTo(between(TIMESTAMP, 9, 9, false));
        assertThat(domain(DATE, new RunLengthEncodedBlock(values(DATE, new Long[] {null}), 100))).isEqualTo(Domain.onlyNull(DATE));
        Block dictionary = values(DATE, -100L, 4L, 6L, null, 100L);
        assertThat(domain(DATE, new DictionaryBlock(dictionary, new int[] {2, 1, 1}))).isEqualTo(between(DATE, 4, 6, false));
        assertThat(domain(DATE, new DictionaryBlock(dictionary, new int[] {2, 3}))).isEqualTo(between(DATE, 6, 6, true));
        assertThat(domain(DATE, new LazyBlock(2, block -> block.setBlock(values(DATE, 1L, 2L))))).isEqualTo(between(DATE, 1, 2, false));
    }

    @Test
    void otherTypesHaveNone()
    {
        assertThat(ValueRange.isOf(BIGINT)).isFalse();
        assertThat(ValueRange.isOf(TIMESTAMP_MICROSECONDS)).isFalse();
        assertThatThrownBy(() -> ValueRange.EMPTY.with(BIGINT, values(BIGINT, 1L))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void storedRangeIsReadAsItWas()
    {
        for (ValueRange range : new ValueRange[] {ValueRange.EMPTY, new ValueRange(true, -5, 7), new ValueRange(false, 7, 7)}) {
            assertThat(ValueRange.read(range.toBytes())).contains(range);
        }
        assertThat(ValueRange.read(new byte[0])).isEmpty();
        assertThat(ValueRange.read(new byte[ValueRange.EMPTY.toBytes().length])).isEmpty();
    }

    private static Domain domain(Type type, Block... blocks)
    {
        ValueRange range = ValueRange.EMPTY;
        for (Block block : blocks) {
            range = range.with(type, block);
        }
        return range.domain(type);
    }

    private static Domain between(Type type, long least, long most, boolean nullAllowed)
    {
        return Domain.create(ValueSet.ofRanges(Range.range(type, least, true, most, true)), nullAllowed);
    }

    private static Block values(Type type, @Nullable Long... values)
    {
        BlockBuilder builder = type.createBlockBuilder(null, values.length);
        for (Long value : values) {
            if (value == null) {
                builder.appendNull();
            }
            else {
                type.writeLong(builder, value);
            }
        }
        return builder.build();
    }
}
