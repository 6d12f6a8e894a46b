// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.replay;

import io.eyrie.cache.simulation.PageAccesses;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class RecordedTraceTest
{
    /** The recorded workload ran three times: the optimum with a capacity of 40 % of the pages has some hits. */
    @ParameterizedTest
    @EnumSource(RecordedTrace.class)
    void traceIsCutOffOrOfAColdRun(RecordedTrace trace)
    {
        PageAccesses accesses = trace.read();
        assertThat(accesses.footprintBytes()).isPositive();
        assertThat(EvictionReplayBenchmark.results(trace.title(), accesses, 40, -0.5)).hasSize(3).allSatisfy(result -> {
            assertThat(result.ours()).isBetween(0.01, 0.99);
            assertThat(result.peer()).isBetween(0.01, 1.0);
        });
    }
}
