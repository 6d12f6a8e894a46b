// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.presto.PrestoStartException;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 20, unit = TimeUnit.MINUTES)
class DemoIT
{
    private static final String WEB_PAGE = "web page";

    @Test
    void demoThatIsKeptAndThenEnded(@TempDir Path directory)
            throws Exception
    {
        Path json = directory.resolve("demo.json");
        Process demo = start("--scale", "0.01", "--json", json.toString(), "--keep");
        List<ProcessHandle> processes = List.of();
        try {
            List<String> output = readUntilKept(demo);
            processes = demo.descendants().toList();
            assertThat(processes).as("a coordinator and two workers").hasSizeGreaterThanOrEqualTo(3);
            assertThat(output).anyMatch(line -> line.matches("query +run +seconds +S3 requests +S3 bytes +hit ratio +speed-up"));
            assertThat(output).anyMatch(line -> line.contains("--catalog eyrie --schema tpch"));
            assertNumbers(new ObjectMapper().readTree(json.toFile()));

            URI coordinator = URI.create(output.get(output.size() - 1).replace(WEB_PAGE, "").strip());
            assertThat(new PrestoClient(coordinator, "eyrie", "tpch").execute("SELECT count(*) FROM region").onlyValue()).isEqualTo(5L);

            demo.destroy();
            assertThat(demo.waitFor()).as("exit code after SIGTERM").isEqualTo(143);
            for (ProcessHandle process : processes) {
                process.onExit().get(30, TimeUnit.SECONDS);
            }
        }
        finally {
            demo.destroyForcibly();
            processes.forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void clusterThatDoesNotStart(@TempDir Path directory)
            throws IOException
    {
        Checkout built = Checkout.find();
        link(directory, built, "testing/presto-engine/target");
        Files.createDirectories(directory.resolve("presto-plugin/target/plugin/eyrie"));

        assertThatExceptionOfType(PrestoStartException.class)
                .isThrownBy(() -> DemoCluster.start(new Checkout(directory), "failing", message -> {}).close())
                .withMessageContaining("No factory for connector eyrie");
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    private static void link(Path directory, Checkout built, String folder)
            throws IOException
    {
        Path link = directory.resolve(folder);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, built.root().resolve(folder));
    }

    private static Process start(String... arguments)
            throws IOException
    {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + Checkout.ROOT_PROPERTY + "=" + Checkout.find().root(),
                "-cp",
                System.getProperty("java.class.path"),
                DemoCommand.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Returns the output up to the line with the address of the web page. */
    private static List<String> readUntilKept(Process demo)
            throws IOException,
            InterruptedException
    {
        List<String> lines = new ArrayList<>();
        BufferedReader reader = demo.inputReader();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
            if (line.strip().startsWith(WEB_PAGE)) {
                return lines;
            }
        }
        throw new AssertionError("The demo ended with " + demo.waitFor() + ":\n" + String.join("\n", lines));
    }

    private static void assertNumbers(JsonNode json)
    {
        assertThat(json.get("scale").asDouble()).isEqualTo(0.01);
        assertThat(json.get("queries")).hasSize(3 * DemoRun.QUERIES.size());
        Map<String, String> checksums = new HashMap<>();
        List<String> rows = new ArrayList<>();
        for (JsonNode row : json.get("queries")) {
            String query = row.get("query").asText();
            String run = row.get("run").asText();
            rows.add(query + " " + run);
            assertThat(row.get("seconds").asDouble()).as("seconds of %s", row).isPositive();
            assertThat(row.get("rows_checksum").asText()).isEqualTo(checksums.computeIfAbsent(query, ignored -> row.get("rows_checksum").asText()));
            if (run.equals("warm")) {
                assertThat(row.get("s3_data_bytes").asLong()).as("bytes from S3: %s", row).isZero();
                assertThat(row.get("hit_ratio").asDouble()).as("hit ratio: %s", row).isEqualTo(1);
            }
            else if (run.equals("off")) {
                assertThat(row.get("s3_data_bytes").asLong()).as("bytes from S3: %s", row).isPositive();
            }
        }
        assertThat(rows).containsExactlyElementsOf(DemoRun.QUERIES.stream()
                .map(TpchQueries::name)
                .flatMap(query -> List.of(query + " off", query + " cold", query + " warm").stream())
                .toList());
    }
}
