// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SparksTpcdsTest
{
    @Test
    void rowsThatTieAtALimitAreOrdered()
    {
        assertThat(SparksTpcds.withoutTies("SELECT a, b FROM t ORDER BY (a + 1) DESC LIMIT 100", 2)).isEqualTo(
                "SELECT a, b FROM t ORDER BY (a + 1) DESC, 1, 2 LIMIT 100");
        assertThat(SparksTpcds.withoutTies("SELECT sum(a) FROM (SELECT a FROM t ORDER BY a) LIMIT 100", 1)).isEqualTo(
                "SELECT sum(a) FROM (SELECT a FROM t ORDER BY a) ORDER BY 1 LIMIT 100");
        assertThat(SparksTpcds.withoutTies("SELECT a FROM (SELECT a FROM t LIMIT 5)", 1)).isEqualTo("SELECT a FROM (SELECT a FROM t LIMIT 5)");
    }

    @Test
    void allQueriesExist()
    {
        assertThat(SparksTpcds.names()).hasSize(103).allMatch(name -> SparksTpcds.sql(name).contains("SELECT"));
    }
}
