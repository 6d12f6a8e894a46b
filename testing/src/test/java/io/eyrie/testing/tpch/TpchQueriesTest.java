// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.tpch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TpchQueriesTest
{
    @Test
    void everyQueryIsThereOnceAndReadsATable()
    {
        Set<String> seen = new HashSet<>();
        for (int number = 1; number <= TpchQueries.COUNT; number++) {
            String sql = TpchQueries.sql(number);
            assertThat(seen.add(sql)).as("q%s differs from those before it", number).isTrue();
            assertThat(sql).contains("SELECT").contains("FROM").doesNotContain(";");
            assertThat(TpchQueries.TABLES).as("tables of q%s", number).anyMatch(sql::contains);
        }
    }

    @Test
    void everyTableIsReadByAQuery()
    {
        assertThat(TpchQueries.TABLES).hasSize(8)
                .allMatch(table -> IntStream.rangeClosed(1, TpchQueries.COUNT).mapToObj(TpchQueries::sql).anyMatch(sql -> sql.contains(table)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 23, -1})
    void queryThatDoesNotExist(int number)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> TpchQueries.sql(number)).withMessageContaining("1 to 22");
    }

    @ParameterizedTest
    @CsvSource({"0.1,sf0.1", "0.01,sf0.01", "1,sf1", "100,sf100", "0.0005,sf0.0005"})
    void sourceSchemaIsWrittenWithoutExponentOrTrailingZero(double scale, String schema)
    {
        assertThat(TpchQueries.sourceSchema(scale)).isEqualTo(schema);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void scaleThatIsNone(double scale)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> TpchQueries.sourceSchema(scale)).withMessageContaining("above 0");
    }
}
