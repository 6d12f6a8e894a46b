// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.benchmarks.CommandRunner;
import io.eyrie.benchmarks.bench.BenchReport;
import io.eyrie.benchmarks.bench.BenchResult;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class BenchCommandTest
{
    private static final BenchReport REPORT = new BenchReport("demo-warm", true, 2, "abc123", new BenchReport.Machine("Linux", "JDK 17", 2), List.of(
            new BenchResult("q1", "warm-time", "s", 0.5, "no-cache", 2.25, 4.5, List.of(4.25, 5.0), null, null),
            new BenchResult("q6", "warm-time", "s", 1, "no-cache", 1234.5, 1234.5, List.of(1.0, 2000.0), 2000.0, false)));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final CommandLine command = CommandRunner.of(new BenchCommand()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

    @Test
    void listNamesEveryBenchmark()
    {
        assertThat(command.execute("--list")).isZero();
        for (String name : List.of("demo-warm", "eviction-replay", "placement", "affinity", "metadata", "fragment", "finer-lookup", "planning")) {
            assertThat(out.toString().lines()).anyMatch(line -> line.startsWith(name + "  "));
        }
    }

    @Test
    void noBenchmarkIsNamed()
    {
        assertThat(command.execute("--quick")).isEqualTo(2);
        assertThat(err.toString()).contains("Which benchmark?", "--list");
    }

    @Test
    void benchmarkThatDoesNotExist()
    {
        assertThat(command.execute("page-raed")).isEqualTo(2);
        assertThat(err.toString()).contains("There is no benchmark page-raed.", "--list");
    }

    @Test
    void jsonFileThatCannotBeWrittenIsFoundOutAtTheStart()
    {
        assertThat(command.execute("demo-warm", "--json", "/no/such/folder/bench.json")).isEqualTo(2);
        assertThat(err.toString()).contains("--json");
    }

    @Test
    void shapeOfTheJson()
    {
        JsonNode json = new ObjectMapper().valueToTree(REPORT);

        assertThat(json.fieldNames()).toIterable().containsExactly("benchmark", "quick", "repeats", "commit", "machine", "results");
        assertThat(json.get("results")).allSatisfy(row -> assertThat(row.fieldNames()).toIterable()
                .containsExactly("name", "metric", "unit", "ours", "peer_name", "peer", "ratio", "spread", "bar", "holds"));
        assertThat(json.at("/results/0/bar").isNull()).isTrue();
        assertThat(json.at("/results/0/holds").isNull()).isTrue();
        assertThat(json.at("/results/0/spread").toString()).isEqualTo("[4.25,5.0]");
        assertThat(json.at("/results/1/holds").isBoolean()).isTrue();
    }

    @Test
    void tableNamesPeerRatioAndSpread()
    {
        List<String> lines = REPORT.table().lines().map(line -> line.strip().replaceAll(" {2,}", " | ")).toList();

        assertThat(lines).contains(
                "q1 | warm-time | s | 0.500 | no-cache | 2.25 | 4.50 | 4.25 to 5.00 | - | -",
                "q6 | warm-time | s | 1.00 | no-cache | 1235 | 1235 | 1.00 to 2000 | 2000 | NO");
        assertThat(REPORT.table()).contains("2 repeats (--quick)").contains("Linux, JDK 17, 2 processors, commit abc123");
    }
}
