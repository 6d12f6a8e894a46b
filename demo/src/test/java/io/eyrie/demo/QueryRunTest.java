// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import org.junit.jupiter.api.Test;

import java.util.List;

import static io.eyrie.demo.RunMode.WARM;
import static org.assertj.core.api.Assertions.assertThat;

class QueryRunTest
{
    @Test
    void summaryHidesNoReadOfAnyRun()
    {
        QueryRun summary = QueryRun.summary(List.of(run(0.5, 20, 1, 0), run(0.3, 22, 1, 4096), run(0.4, 21, 2, 0)));

        assertThat(summary).isEqualTo(new QueryRun("q1", WARM, 0.4, 22, 2, 4096, "same"));
    }

    private static QueryRun run(double seconds, long requests, long lists, long bytes)
    {
        return new QueryRun("q1", WARM, seconds, requests, lists, bytes, "same");
    }
}
