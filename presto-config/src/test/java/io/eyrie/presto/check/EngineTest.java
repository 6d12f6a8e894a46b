// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EngineTest
{
    private static final long MACHINE_BYTES = 100L << 30;
    private static final Optional<Boolean> CLOSED = Optional.of(false);

    private final Path config;
    private final Path jvm;

    EngineTest(@TempDir Path directory)
            throws IOException
    {
        config = Files.createFile(directory.resolve("config.properties"));
        jvm = directory.resolve("jvm.config");
    }

    @Test
    void headroomIsThreeTenthsOfTheHeapUnlessSet()
            throws IOException
    {
        Files.writeString(jvm, "-server\n-Xmx1g\n-Xmx10G\n-XX:MaxRAMPercentage=80\n");
        assertThat(read(Optional.of(config))).isEqualTo(new Engine(OptionalLong.of(10L << 30), OptionalLong.of((long) ((10L << 30)
                * 0.3)), CLOSED));
        Files.writeString(config, "memory.heap-headroom-per-node = 2GB\n");
        assertThat(read(Optional.of(config))).isEqualTo(new Engine(OptionalLong.of(10L << 30), OptionalLong.of(2L << 30), CLOSED));
        assertThat(read(Optional.empty())).isEqualTo(new Engine(OptionalLong.of(10L << 30), OptionalLong.empty(), CLOSED));
    }

    @Test
    void heapThatIsAPartOfTheMachine()
            throws IOException
    {
        assertThat(read(Optional.of(config))).as("without a jvm.config").isEqualTo(Engine.UNKNOWN);
        Files.writeString(jvm, "-XX:MaxRAMPercentage=80\n");
        assertThat(read(Optional.empty()).heapBytes()).hasValue((long) (MACHINE_BYTES * 0.8));
        Files.writeString(jvm, "-server\n");
        assertThat(read(Optional.empty()).heapBytes()).as("the JVM's default").hasValue(MACHINE_BYTES / 4);
    }

    @Test
    void javaNetThatIsNotOpen()
            throws IOException
    {
        Files.writeString(jvm, "-Xmx1g\n");
        assertThat(read(Optional.empty()).optionFindings()).singleElement().satisfies(finding -> assertThat(finding.text()).contains(
                "--add-opens=java.base/java.net=ALL-UNNAMED", "CREATE TABLE AS", "To fix: "));
        Files.writeString(jvm, "-Xmx1g\n--add-opens=java.base/java.net=ALL-UNNAMED\n");
        assertThat(read(Optional.empty()).optionFindings()).isEmpty();
        assertThat(Engine.UNKNOWN.optionFindings()).isEmpty();
        assertThat(Engine.running().heapBytes()).hasValue(Runtime.getRuntime().maxMemory());
    }

    @Test
    void headroomThatIsNoSize()
            throws IOException
    {
        Files.writeString(config, "memory.heap-headroom-per-node=lots\n");
        assertThatThrownBy(() -> read(Optional.of(config))).isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("memory.heap-headroom-per-node is 'lots'", "To fix: ");
    }

    private Engine read(Optional<Path> engineConfig)
            throws IOException
    {
        return Engine.read(engineConfig, jvm, MACHINE_BYTES);
    }
}
