// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.eyrie.benchmarks.demo.RunMode.COLD;
import static io.eyrie.benchmarks.demo.RunMode.OFF;
import static io.eyrie.benchmarks.demo.RunMode.WARM;
import static org.assertj.core.api.Assertions.assertThat;

class DemoReportTest
{
    private static final DemoReport REPORT = new DemoReport(0.1, 2, 3, new DemoReport.Link(30, 50_000_000), List.of(
            new QueryRun("q1", OFF, 2, 40, 12_345_678, 0.0, "a"),
            new QueryRun("q1", COLD, 2.5, 50, 20_000_000, 0.25, "a"),
            new QueryRun("q1", WARM, 0.5, 8, 0, 1.0, "a"),
            new QueryRun("q6", OFF, 1, 10, 999, null, "b"),
            new QueryRun("q6", COLD, 1, 10, 1000, null, "b"),
            new QueryRun("q6", WARM, 0.25, 4, 0, null, "b")));

    @Test
    void shapeOfTheJson()
    {
        JsonNode json = new ObjectMapper().valueToTree(REPORT);

        assertThat(json.fieldNames()).toIterable().containsExactly("scale", "workers", "warm_runs", "link", "queries");
        assertThat(json.get("queries")).hasSize(6).allSatisfy(row -> assertThat(row.fieldNames()).toIterable()
                .containsExactly("query", "run", "seconds", "s3_requests", "s3_data_bytes", "hit_ratio", "rows_checksum"));
        assertThat(json.at("/queries/1").toString()).isEqualTo(
                "{\"query\":\"q1\",\"run\":\"cold\",\"seconds\":2.5,\"s3_requests\":50,\"s3_data_bytes\":20000000,\"hit_ratio\":0.25,\"rows_checksum\":\"a\"}");
        assertThat(json.at("/queries/3/run").asText()).isEqualTo("off");
        assertThat(json.at("/queries/5/hit_ratio").isNull()).isTrue();
    }

    @Test
    void tableShowsWhatTheCacheSaved()
    {
        List<String> lines = REPORT.table().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")).toList();

        assertThat(lines).contains(
                "query | run | seconds | S3 requests | S3 bytes | hit ratio | speed-up",
                "q1 | off | 2.00 | 40 | 12.3 MB | -",
                "cold | 2.50 | 50 | 20.0 MB | 25.0 % | 0.8x",
                "warm | 0.50 | 8 | 0 B | 100.0 % | 4.0x",
                "q6 | off | 1.00 | 10 | 999 B | -",
                "cold | 1.00 | 10 | 1.0 kB | - | 1.0x",
                "all | off | 3.00 | 50 | 12.3 MB",
                "warm | 0.75 | 12 | 0 B | 4.0x");
        assertThat(REPORT.table())
                .contains("TPC-H at scale 0.1 in ORC, 2 workers; S3 behind a link of 30 ms a request and 50.0 MB/s a connection.")
                .contains("of 3 runs: the median");
    }
}
