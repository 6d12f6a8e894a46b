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
        Files.writeString(jvm, "-server\n-Xmx1g\n-Xmx10G\n");
        assertThat(Engine.read(Optional.of(config), jvm)).isEqualTo(new Engine(OptionalLong.of(10L << 30), OptionalLong.of((long) ((10L << 30)
                * 0.3))));
        Files.writeString(config, "memory.heap-headroom-per-node = 2GB\n");
        assertThat(Engine.read(Optional.of(config), jvm)).isEqualTo(new Engine(OptionalLong.of(10L << 30), OptionalLong.of(2L << 30)));
        assertThat(Engine.read(Optional.empty(), jvm)).isEqualTo(new Engine(OptionalLong.of(10L << 30), OptionalLong.empty()));
    }

    @Test
    void heapThatNothingSays()
            throws IOException
    {
        assertThat(Engine.read(Optional.of(config), jvm)).isEqualTo(Engine.UNKNOWN);
        Files.writeString(jvm, "-XX:MaxRAMPercentage=80\n");
        assertThat(Engine.read(Optional.of(config), jvm)).isEqualTo(Engine.UNKNOWN);
    }

    @Test
    void headroomThatIsNoSize()
            throws IOException
    {
        Files.writeString(config, "memory.heap-headroom-per-node=lots\n");
        assertThatThrownBy(() -> Engine.read(Optional.of(config), jvm)).isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("memory.heap-headroom-per-node is 'lots'", "To fix: ");
    }
}
