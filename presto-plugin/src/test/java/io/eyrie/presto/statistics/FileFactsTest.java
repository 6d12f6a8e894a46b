// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.DecimalType;
import com.facebook.presto.common.type.Decimals;
import com.facebook.presto.common.type.Type;
import io.airlift.slice.Slice;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DateType.DATE;
import static com.facebook.presto.common.type.IntegerType.INTEGER;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.common.type.VarcharType.createVarcharType;
import static io.airlift.slice.Slices.utf8Slice;
import static org.assertj.core.api.Assertions.assertThat;

class FileFactsTest
{
    private static final DecimalType SHORT_DECIMAL = DecimalType.createDecimalType(12, 2);
    private static final DecimalType LONG_DECIMAL = DecimalType.createDecimalType(38, 10);

    @Test
    void factsOfEachTypeAreReadAsTheyWere()
    {
        Slice least = Decimals.encodeScaledValue(new BigDecimal("-12345678901234567890.5"), 10);
        Slice most = Decimals.encodeScaledValue(new BigDecimal("3"), 10);
        List<Domain> facts = List.of(
                range(BIGINT, Long.MIN_VALUE, 17L, true),
                range(INTEGER, -5L, -5L, false),
                range(VARCHAR, utf8Slice(""), utf8Slice("é".repeat(FileFacts.MOST_TEXT_BYTES / 2)), true),
                range(createVarcharType(7), utf8Slice("a"), utf8Slice("b"), false),
                range(DATE, 9000L, 9001L, false),
                range(TIMESTAMP, 0L, 1L, true),
                range(SHORT_DECIMAL, -1L, 100L, false),
                range(LONG_DECIMAL, least, most, true),
                range(BOOLEAN, false, false, true),
                range(BOOLEAN, true, true, false),
                Domain.onlyNull(BIGINT),
                Domain.none(VARCHAR),
                Domain.notNull(VARCHAR),
                Domain.all(DATE),
                Domain.create(ValueSet.ofRanges(Range.lessThanOrEqual(BIGINT, 3L)), false),
                Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(VARCHAR, utf8Slice("m"))), true));
        FileFacts encoded = new FileFacts(FileFacts.of(facts.stream().map(Optional::of).toList()).bytes());
        for (int i = 0; i < facts.size(); i++) {
            assertThat(encoded.column(i, facts.get(i).getType())).as("column %s", i).contains(facts.get(i));
        }
    }

    @Test
    void unknownColumnBetweenOthers()
    {
        FileFacts facts = FileFacts.of(List.of(
                Optional.of(range(VARCHAR, utf8Slice("a"), utf8Slice("b"), true)),
                Optional.empty(),
                Optional.of(range(BIGINT, 1L, 2L, false))));
        assertThat(facts.column(1, BIGINT)).isEmpty();
        assertThat(facts.column(2, BIGINT)).contains(range(BIGINT, 1L, 2L, false));
    }

    @Test
    void rangesOfRowGroupsBecomeOneThatContainsThem()
    {
        Domain groups = range(BIGINT, 1L, 2L, false).union(range(BIGINT, 100L, 200L, true));
        assertThat(FileFacts.of(List.of(Optional.of(groups))).column(0, BIGINT)).contains(range(BIGINT, 1L, 200L, true));
    }

    @Test
    void longTextsAreNoBounds()
    {
        Slice longText = utf8Slice("x".repeat(FileFacts.MOST_TEXT_BYTES + 1));
        FileFacts facts = FileFacts.of(List.of(
                Optional.of(range(VARCHAR, utf8Slice("a"), longText, false)),
                Optional.of(range(VARCHAR, longText, longText, true)),
                Optional.of(range(VARCHAR, longText, utf8Slice("y"), false))));
        assertThat(facts.column(0, VARCHAR)).contains(Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(VARCHAR, utf8Slice("a"))), false));
        assertThat(facts.column(1, VARCHAR)).contains(Domain.all(VARCHAR));
        assertThat(facts.column(2, VARCHAR)).contains(Domain.create(ValueSet.ofRanges(Range.lessThanOrEqual(VARCHAR, utf8Slice("y"))), false));
        assertThat(facts.bytes().length).isLessThan(10);
    }

    private static Domain range(Type type, Object least, Object most, boolean nulls)
    {
        return Domain.create(ValueSet.ofRanges(Range.range(type, least, true, most, true)), nulls);
    }
}
