package io.eyrie.benchmarks.replay;

import io.eyrie.cache.simulation.PageAccesses;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class RecordedTraceTest
{
    /** It was recorded of a workload that comes three times: the optimum at 40 % of the pages serves some of it. */
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
