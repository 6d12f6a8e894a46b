// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.eyrie.benchmarks.demo.RunMode.WARM;
import static org.assertj.core.api.Assertions.assertThat;

class QueryRunTest
{
    @Test
    void summaryHidesNoReadOfAnyRun()
    {
        QueryRun summary = QueryRun.summary(List.of(run(0.5, 20, 0, 1.0), run(0.3, 22, 4096, 0.9), run(0.4, 21, 0, 1.0)));

        assertThat(summary).isEqualTo(new QueryRun("q1", WARM, 0.4, 22, 4096, 0.9, "same"));
    }

    @Test
    void summaryOfARunThatReadNothing()
    {
        assertThat(QueryRun.summary(List.of(run(1, 0, 0, null), run(2, 0, 0, 1.0))).hitRatio()).isNull();
    }

    private static QueryRun run(double seconds, long requests, long bytes, @Nullable Double hitRatio)
    {
        return new QueryRun("q1", WARM, seconds, requests, bytes, hitRatio, "same");
    }
}
