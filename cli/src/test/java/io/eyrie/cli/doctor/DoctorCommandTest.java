// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cli.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

final class DoctorCommandTest
{
    private static final String GOOD = """
            connector.name=eyrie
            hive.metastore=file
            cache.enabled=true
            cache.max-cache-size=200MB
            cache.min-free-space=0B
            """;

    private final Path flash;
    private final Path hive;

    DoctorCommandTest(@TempDir Path directory)
            throws IOException
    {
        flash = Files.createDirectory(directory.resolve("flash"));
        hive = Files.createDirectory(directory.resolve("catalog")).resolve("hive.properties");
    }

    @Test
    void goodCatalog()
            throws IOException
    {
        write(hive, "");
        CommandRun run = CommandRun.of("doctor", hive);
        assertThat(run.exitCode()).as(run.out()).isZero();
        assertThat(run.out()).startsWith(hive + ": ").doesNotContain("error  ").contains("--jvm-config");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void errorsFailAndWarningsDoWhenStrict()
            throws IOException
    {
        write(hive, "hive.node-selection-strategy=NO_PREFERENCE\n");
        assertThat(CommandRun.of("doctor", hive).exitCode()).isZero();
        CommandRun strict = CommandRun.of("doctor", hive, "--strict");
        assertThat(strict.exitCode()).isEqualTo(1);
        assertThat(strict.out()).contains("warning  hive.node-selection-strategy is NO_PREFERENCE", "To fix: remove the line");

        write(hive, "cache.write-bufer=128MB\n");
        CommandRun misspelled = CommandRun.of("doctor", hive);
        assertThat(misspelled.exitCode()).isEqualTo(1);
        assertThat(misspelled.out()).contains("1 error", "error    cache.write-bufer is 128MB", "To fix: write cache.write-buffer");
    }

    @Test
    void siblingsInTheFolder()
            throws IOException
    {
        write(hive, "");
        write(hive.resolveSibling("lake.properties"), "cache.ttl=2d\n");
        Files.writeString(hive.resolveSibling("tpch.properties"), "connector.name=tpch\n");
        CommandRun run = CommandRun.of("doctor", hive);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("error    cache.ttl is 0ms", "catalog lake has 2d");
    }

    @Test
    void catalogOfAnotherConnector()
            throws IOException
    {
        Files.writeString(hive, "connector.name=hive-hadoop2\n");
        CommandRun run = CommandRun.of("doctor", hive);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("connector.name is hive-hadoop2", "To fix: set connector.name=eyrie");
    }

    @Test
    void memoryBesideTheEngine()
            throws IOException
    {
        write(hive, "cache.max-memory=600MB\n");
        Path config = hive.resolveSibling("../config.properties");
        Files.writeString(config, "memory.heap-headroom-per-node=500MB\n");
        Files.writeString(config.resolveSibling("jvm.config"), "-server\n-Xmx2g\n");
        Path json = hive.resolveSibling("doctor.json");
        CommandRun run = CommandRun.of("doctor", hive, "--engine-config", config, "--json", json);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("memory.heap-headroom-per-node is 500MB", "Memory on a heap of 2GB: cache.max-memory is 600MB", "write buffer",
                "off the heap");

        JsonNode report = CommandRun.json(json);
        assertThat(report.get("catalog").asText()).isEqualTo("hive");
        assertThat(report.get("errors").asInt()).isEqualTo(1);
        assertThat(report.get("findings").get(0).get("severity").asText()).isEqualTo("error");
        assertThat(report.get("memory").get("max_bytes").asLong()).isEqualTo(600L << 20);
        assertThat(report.get("memory").get("layers")).hasSizeGreaterThan(5);
    }

    @Test
    void valuesThatTheFileDoesNotSet()
            throws IOException
    {
        Files.writeString(hive, "connector.name=eyrie\nhive.metastore=file\ncache.enabled=true\ncache.base-directory=" + flash + "\n");
        Path json = hive.resolveSibling("doctor.json");
        CommandRun run = CommandRun.of("doctor", hive, "--json", json);
        assertThat(run.exitCode()).as(run.out()).isZero();
        assertThat(run.out()).contains("Values that the file does not set:", "fragment-result-cache.enabled", "hive.metastore-cache-ttl", "2d",
                "cache.control-directory", flash.resolve("control").toString(), "cache.max-cache-size", "80 percent of", "this machine");
        JsonNode defaults = CommandRun.json(json).get("defaults");
        assertThat(defaults.findValuesAsText("property")).contains("cache.min-free-space", "cache.index-memory");
        assertThat(defaults.findValuesAsText("source")).contains("switch", "derived");
    }

    @Test
    void memoryIsShownOrTheReasonWhyNot()
            throws IOException
    {
        Path jvm = hive.resolveSibling("jvm.config");
        Files.writeString(jvm, "-server\n");
        write(hive, "");
        CommandRun part = CommandRun.of("doctor", hive, "--jvm-config", jvm);
        assertThat(part.out()).contains("Memory on a heap of ", "--add-opens=java.base/java.net=ALL-UNNAMED").doesNotContain("(--jvm-config)");
        write(hive, "cache.max-memory=lots\n");
        CommandRun broken = CommandRun.of("doctor", hive, "--jvm-config", jvm);
        assertThat(broken.out()).contains("depends on a property with an error").doesNotContain("(--jvm-config)");
    }

    @Test
    void linesThatPrestoTakesInSilenceOrRefuses()
            throws IOException
    {
        write(hive, "hive.security=ranger\ncache.ttl=1d\ncache.ttl=2d\ncache.trace-directory=/no/such/directory\n");
        CommandRun run = CommandRun.of("doctor", hive);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("warning  hive.security is ranger", "warning  cache.ttl is 2d", "more than one line",
                "error    cache.trace-directory is /no/such/directory", "To fix: install -d -m 700 /no/such/directory");
    }

    @Test
    void filesThatAreNotThere()
            throws IOException
    {
        assertThat(CommandRun.of("doctor", hive).exitCode()).isEqualTo(2);
        write(hive, "");
        CommandRun run = CommandRun.of("doctor", hive, "--engine-config", hive.resolveSibling("missing"));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--engine-config does not name a file");
        assertThat(CommandRun.of("doctor").exitCode()).isEqualTo(2);
    }

    @Test
    void namesCannotSteerATerminal()
            throws IOException
    {
        write(hive, "evil\u001b[2J=\u001b[31m\n");
        assertThat(CommandRun.of("doctor", hive).out()).contains("evil?[2J").doesNotContain("\u001b");
    }

    private void write(Path file, String lines)
            throws IOException
    {
        Files.writeString(file, GOOD + "cache.base-directory=" + flash + "\n" + lines);
    }
}
