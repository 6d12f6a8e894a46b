// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.docs;

import io.eyrie.testing.client.QueryResult.Column;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PrintedShapeTest
{
    private static final String TABLE = """
             layer | hits
            -------+------
             data  |   12
            (1 row)
            """;
    private static final List<Column> COLUMNS = List.of(new Column("layer", "varchar"), new Column("hits", "bigint"));

    @Test
    void valuesOfATableMayDiffer()
    {
        assertThatCode(() -> PrintedShape.assertTable(TABLE, COLUMNS, List.of(List.of("footer", 7L), Arrays.asList("data", null))))
                .doesNotThrowAnyException();
    }

    @Test
    void columnsOfATableMayNot()
    {
        assertThatThrownBy(() -> PrintedShape.assertTable(TABLE, COLUMNS.subList(0, 1), List.of(List.of("data")))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> PrintedShape.assertTable(TABLE, COLUMNS, List.of(List.of("data", "many")))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> PrintedShape.assertTable(TABLE, COLUMNS, List.of(List.of(5L, 7L)))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> PrintedShape.assertTable(TABLE, COLUMNS, List.of())).isInstanceOf(AssertionError.class);
    }

    @Test
    void linesMayHaveOtherNumbersAndOthersBetweenThem()
    {
        assertThatCode(() -> PrintedShape.assertLines("3 errors in …\ndone", "30 errors  in /etc/a\nmore\ndone\n")).doesNotThrowAnyException();
    }

    @Test
    void lineThatIsNotPrinted()
    {
        assertThatThrownBy(() -> PrintedShape.assertLines("3 errors", "3 warnings\n")).isInstanceOf(AssertionError.class).hasMessageContaining(
                "3 errors");
        assertThatThrownBy(() -> PrintedShape.assertLines("b\na", "a\nb\n")).isInstanceOf(AssertionError.class);
    }
}
