// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.testing.client.QueryStatistics;
import io.eyrie.testing.client.QueryStatistics.Metric;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class QueryProfileTest
{
    @Test
    void phasesAndTheLongestOperatorsAreSaid()
            throws Exception
    {
        String info = """
                {"queryStats": {"elapsedTime": "1.25s", "totalPlanningTime": "75.31ms", "totalCpuTime": "131.00ms", "completedSplits": 170,
                 "operatorSummaries": [
                  {"operatorType": "TableScanOperator", "addInputWall": "0.00ns", "getOutputWall": "20.00ms", "finishWall": "0.00ns"},
                  {"operatorType": "AggregationOperator", "addInputWall": "31.00ms", "getOutputWall": "1.00ms", "finishWall": "500.00us"},
                  {"operatorType": "TableScanOperator", "addInputWall": "0.00ns", "getOutputWall": "22.00ms", "finishWall": "0.00ns"}]}}""";
        QueryStatistics statistics = new QueryStatistics(new ObjectMapper().readTree(info), Map.of(
                "S1-getSplitsTimeNanos",
                new Metric(101_000_000, 1),
                "S2-getSplitsTimeNanos",
                new Metric(8_000_000, 1),
                "eyrieFragmentHits",
                new Metric(5, 5),
                "eyrieFragmentMisses",
                new Metric(1, 1)));
        assertThat(QueryProfile.of(statistics)).isEqualTo(
                "1250 ms; planning 75, waiting for splits 109, 170 splits, results hit 5, missed 1; processor 131; "
                        + "operators: TableScan 42, Aggregation 33");
    }
}
