// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.presto.PrestoStartException;
import io.eyrie.testing.tpch.TpchQueries;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 20, unit = TimeUnit.MINUTES)
class DemoIT
{
    private static final String WEB_PAGE = "Web page:";

    @Test
    void demoThatIsKeptAndThenEnded(@TempDir Path directory)
            throws Exception
    {
        Path json = directory.resolve("demo.json");
        Path files = Files.createDirectory(directory.resolve("tmp"));
        Process demo = start(files, "--scale", "0.01", "--link", "none", "--json", json.toString(), "--keep");
        List<ProcessHandle> processes = List.of();
        try {
            List<String> output = readUntilKept(demo);
            processes = demo.descendants().toList();
            assertThat(processes).as("a metastore, a coordinator and a worker").hasSizeGreaterThanOrEqualTo(3);
            assertThat(output).anyMatch(line -> line.matches("query +no cache +cold +warm +cold +warm +S3 requests +warm +S3 bytes +warm"));
            assertThat(output).anyMatch(line -> line.matches("All 5 queries: .*x faster\\. Warm, S3 gets .* requests .* That saves \\$.*"));
            assertThat(output).contains("The numbers are in " + json + ".");
            assertNumbers(new ObjectMapper().readTree(json.toFile()));

            List<String> commands = output.stream().filter(line -> line.startsWith("  bin/")).map(String::strip).toList();
            assertThat(commands).hasSize(5);
            for (String command : commands) {
                assertThat(run(command)).as(command).isNotBlank();
            }
            assertThat(run("bin/presto --execute 'SELECT count(*) FROM hive.tpch.region'")).contains("\"5\"");
            assertEndsWithoutATrace(demo, processes, files);
        }
        finally {
            demo.destroyForcibly();
            processes.forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void demoThatIsEndedWhileItStarts(@TempDir Path directory)
            throws Exception
    {
        Path files = Files.createDirectory(directory.resolve("tmp"));
        Process demo = start(files, "--scale", "0.01", "--link", "none");
        List<ProcessHandle> processes = List.of();
        try {
            BufferedReader reader = demo.inputReader();
            String line = reader.readLine();
            while (line != null && !line.contains("starting a Hive Metastore")) {
                line = reader.readLine();
            }
            while (demo.isAlive() && processes.isEmpty()) {
                processes = demo.descendants().toList();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            assertThat(processes).as("the metastore").isNotEmpty();
            assertEndsWithoutATrace(demo, processes, files);
        }
        finally {
            demo.destroyForcibly();
            processes.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static void assertEndsWithoutATrace(Process demo, List<ProcessHandle> processes, Path files)
            throws Exception
    {
        demo.destroy();
        assertThat(demo.waitFor()).as("exit code after SIGTERM").isEqualTo(143);
        for (ProcessHandle process : processes) {
            process.onExit().get(30, TimeUnit.SECONDS);
        }
        try (Stream<Path> left = Files.list(files)) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("eyrie-"))).as("files that it left behind").isEmpty();
        }
    }

    /** Returns the output of a shell command in the checkout, which ends with success. */
    private static String run(String command)
            throws IOException,
            InterruptedException
    {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(Checkout.find().root().toFile())
                .redirectErrorStream(true);
        // this build has built what the commands would build
        builder.environment().put("EYRIE_BUILT", "true");
        // of which each JVM would print a line
        builder.environment().remove("JDK_JAVA_OPTIONS");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code of " + command + ", which prints: " + output).isZero();
        return output;
    }

    @Test
    void clusterThatDoesNotStart(@TempDir Path directory)
            throws IOException
    {
        Checkout built = Checkout.find();
        link(directory, built, "testing/presto-engine/target");
        link(directory, built, "testing/hive-metastore/target");
        Files.copy(built.root().resolve("README.md"), directory.resolve("README.md"));
        Files.createDirectories(directory.resolve("presto-plugin/target/plugin/eyrie"));
        Files.createDirectories(directory.resolve("presto-plugin/target/plugin/hive-stock"));

        assertThatExceptionOfType(PrestoStartException.class)
                .isThrownBy(() -> DemoCluster.start(new Checkout(directory), "failing", message -> {}).close())
                .withMessageContaining("No factory for connector ");
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    private static void link(Path directory, Checkout built, String folder)
            throws IOException
    {
        Path link = directory.resolve(folder);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, built.root().resolve(folder));
    }

    private static Process start(Path files, String... arguments)
            throws IOException
    {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + Checkout.ROOT_PROPERTY + "=" + Checkout.find().root(),
                "-Djava.io.tmpdir=" + files,
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
            if (line.contains(WEB_PAGE)) {
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
            }
            else {
                assertThat(row.get("s3_data_bytes").asLong()).as("bytes from S3: %s", row).isPositive();
            }
        }
        assertThat(rows).containsExactlyElementsOf(DemoRun.QUERIES.stream()
                .map(TpchQueries::name)
                .flatMap(query -> List.of(query + " off", query + " cold", query + " warm").stream())
                .toList());
    }
}
