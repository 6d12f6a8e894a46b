// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.eyrie.demo.RunMode.COLD;
import static io.eyrie.demo.RunMode.OFF;
import static io.eyrie.demo.RunMode.WARM;
import static org.assertj.core.api.Assertions.assertThat;

class DemoReportTest
{
    private static final List<QueryRun> RUNS = List.of(
            new QueryRun("q1", OFF, 8, 1040, 40, 500_000_000, "a"),
            new QueryRun("q1", COLD, 5, 50, 1, 20_000_000, "a"),
            new QueryRun("q1", WARM, 0.5, 1, 1, 0, "a"),
            new QueryRun("q6", OFF, 2, 10, 5, 999, "b"),
            new QueryRun("q6", COLD, 2.5, 10, 1, 1000, "b"),
            new QueryRun("q6", WARM, 0.5, 2, 1, 0, "b"));
    private static final DemoReport REPORT = new DemoReport(0.1, 3, DemoLink.FAR, RUNS);

    @Test
    void shapeOfTheJson()
    {
        JsonNode json = new ObjectMapper().valueToTree(REPORT);

        assertThat(json.fieldNames()).toIterable().containsExactly("scale", "warm_runs", "link", "queries");
        assertThat(json.get("link").asText()).isEqualTo("far");
        assertThat(json.at("/queries/1").toString()).isEqualTo(
                "{\"query\":\"q1\",\"run\":\"cold\",\"seconds\":5.0,\"s3_requests\":50,\"s3_lists\":1,\"s3_data_bytes\":20000000,\"rows_checksum\":\"a\"}");
        assertThat(json.at("/queries/3/run").asText()).isEqualTo("off");
    }

    @Test
    void screenHasARowForEachQueryAndOneLineOfTotals()
    {
        List<String> lines = REPORT.screen().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")).toList();

        assertThat(lines).contains(
                "query | no cache | cold | warm | cold | warm | S3 requests | warm | S3 bytes | warm",
                "q1 | 8.00 s | 5.00 s | 0.50 s | 1.6x | 16.0x | 1,040 | 1 | 500.0 MB | 0 B",
                "q6 | 2.00 s | 2.50 s | 0.50 s | 0.8x | 4.0x | 10 | 2 | 999 B | 0 B",
                "All 2 queries: 10.00 s without cache, 7.50 s cold (1.3x), 1.00 s warm: 10.0x faster. Warm, S3 gets 3 requests instead of 1,050 and sends 0 B "
                        + "instead of 500.0 MB. That saves $0.0106, or $318 a month for 1,000 such runs a day.");
        assertThat(REPORT.screen())
                .contains("TPC-H at scale 0.1 in ORC", "a far link: 100 ms a request, 10 MB/s a connection", "the median of 3 runs",
                        "$0.02 a GB to another region");
        assertThat(lines).as("one screen").hasSizeLessThan(24);
    }

    @Test
    void contentIsFreeWithinARegion()
    {
        DemoReport near = new DemoReport(0.1, 3, DemoLink.NEAR, RUNS);

        // 1,005 GETs at $0.40 and 43 LISTs at $5.00 a million
        assertThat(near.screen()).contains("That saves $0.0006, or $18 a month", "costs nothing within a region");
    }
}
