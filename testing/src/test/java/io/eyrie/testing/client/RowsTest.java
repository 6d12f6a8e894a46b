// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.client;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RowsTest
{
    private static List<@Nullable Object> row(@Nullable Object... values)
    {
        return Arrays.asList(values);
    }

    @Test
    void orderDoesNotMatter()
    {
        List<List<@Nullable Object>> rows = List.of(row(1L, "a"), row(2L, null));
        List<List<@Nullable Object>> reversed = List.of(row(2L, null), row(1L, "a"));
        Rows.assertSameRows(rows, reversed);
        assertThat(Rows.checksum(rows)).isEqualTo(Rows.checksum(reversed));
    }

    @Test
    void sumsAddedInAnotherOrder()
    {
        List<List<@Nullable Object>> rows = List.of(row("x", 0.1 + 0.2 + 0.3), row("y", 1.0f));
        List<List<@Nullable Object>> others = List.of(row("y", 1.0f), row("x", 0.3 + 0.2 + 0.1));
        Rows.assertSameRows(rows, others);
        assertThat(Rows.checksum(rows)).isEqualTo(Rows.checksum(others));
    }

    @Test
    void lastBitOfAShortDecimalNumber()
    {
        for (double value : new double[] {1, -1, 100_000, 12_345.675, 234_567.55, 0.000_125, 99_999.995, 1e-300}) {
            String checksum = Rows.checksum(List.of(row(value)));
            assertThat(Rows.checksum(List.of(row(Math.nextUp(value))))).as("above %s", value).isEqualTo(checksum);
            assertThat(Rows.checksum(List.of(row(Math.nextDown(value))))).as("below %s", value).isEqualTo(checksum);
            assertThat(Rows.checksum(List.of(row(-value)))).as("-%s", value).isNotEqualTo(checksum);
            assertThat(Rows.checksum(List.of(row(value * 1.000_001)))).as("near %s", value).isNotEqualTo(checksum);
        }
    }

    @Test
    void doubleBeyondTheTolerance()
    {
        assertThatThrownBy(() -> Rows.assertSameRows(List.of(row(1.0)), List.of(row(1.0 + 1e-8)))).isInstanceOf(AssertionError.class);
    }

    @Test
    void duplicatesCount()
    {
        List<List<@Nullable Object>> twice = List.of(row(1L), row(1L), row(2L));
        List<List<@Nullable Object>> once = List.of(row(1L), row(2L), row(2L));
        assertThatThrownBy(() -> Rows.assertSameRows(twice, once)).hasMessageContaining("1 of 3 rows differ");
        assertThat(Rows.checksum(twice)).isNotEqualTo(Rows.checksum(once));
    }

    @Test
    void nullIsNotItsName()
    {
        assertThatThrownBy(() -> Rows.assertSameRows(List.of(row((Object) null)), List.of(row("null")))).isInstanceOf(AssertionError.class);
    }

    @Test
    void exactTypesAreComparedExactly()
    {
        assertThatThrownBy(() -> Rows.assertSameRows(List.of(row(new BigDecimal("1.00000000001"))), List.of(row(new BigDecimal("1.00000000002")))))
                .isInstanceOf(AssertionError.class);
        Rows.assertSameRows(List.of(row((Object) new byte[] {1, 2})), List.of(row((Object) new byte[] {1, 2})));
    }

    @Test
    void missingRow()
    {
        assertThatThrownBy(() -> Rows.assertSameRows(List.of(row(1L)), List.of())).hasMessage("1 rows, expected 0");
    }
}
