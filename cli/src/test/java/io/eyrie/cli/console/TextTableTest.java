// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TextTableTest
{
    @Test
    void columnsAreAsWideAsTheirWidestCell()
    {
        TextTable table = new TextTable(1, "query", "seconds").row("q1", "1.00").rule().row("everything", "10.25");

        assertThat(table.render().lines()).containsExactly(
                "query       seconds",
                "-------------------",
                "q1             1.00",
                "-------------------",
                "everything    10.25");
    }

    @Test
    void rowOfAnotherNumberOfCells()
    {
        assertThatIllegalArgumentException().isThrownBy(() -> new TextTable(1, "a", "b").row("1")).withMessageContaining("1 cells");
    }
}
