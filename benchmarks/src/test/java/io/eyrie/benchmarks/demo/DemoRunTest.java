// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static io.eyrie.benchmarks.demo.RunMode.COLD;
import static io.eyrie.benchmarks.demo.RunMode.OFF;
import static io.eyrie.benchmarks.demo.RunMode.WARM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DemoRunTest
{
    private final List<String> runs = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();

    @Test
    void everyQueryRunsOffColdAndWarmBeforeTheNext()
    {
        List<QueryRun> rows = new DemoRun(this::answer, "tpch", progress::add).run(2);

        assertThat(runs).hasSize(4 * DemoRun.QUERIES.size()).startsWith("tpch 1 OFF", "tpch 1 COLD", "tpch 1 WARM", "tpch 1 WARM", "tpch 3 OFF");
        assertThat(progress).hasSameSizeAs(runs);
        assertThat(rows).hasSize(3 * DemoRun.QUERIES.size());
        assertThat(rows.subList(0, 3)).extracting(QueryRun::run).containsExactly(OFF, COLD, WARM);
    }

    @Test
    void warmingUpFillsNoCache()
    {
        new DemoRun(this::answer, "tpch", progress::add).warmUp();

        assertThat(runs).hasSameSizeAs(DemoRun.QUERIES).allMatch(run -> run.endsWith("OFF"));
    }

    @Test
    void wrongAnswerOfOneWarmRun()
    {
        QueryRunner wrong = (schema, query, mode) -> {
            QueryRun right = answer(schema, query, mode);
            return query == 3 && runs.size() == 8 ? new QueryRun(right.query(), mode, 1, 0, 0, 1.0, "wrong") : right;
        };

        assertThatExceptionOfType(DifferentAnswersException.class)
                .isThrownBy(() -> new DemoRun(wrong, "tpch", progress::add).run(2))
                .withMessageContainingAll("q3", "warm run", "wrong", "sum-3", "off run");
    }

    private QueryRun answer(String schema, int query, RunMode mode)
    {
        runs.add(schema + " " + query + " " + mode);
        return new QueryRun("q" + query, mode, 1, 10, 100, 1.0, "sum-" + query);
    }
}
