// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import io.eyrie.relink.sample.SampleBystander;
import io.eyrie.relink.sample.SampleConnector;
import io.eyrie.relink.sample.SampleHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.Type;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JarRelinkerTest
{
    private static final String HANDLE = Type.getInternalName(SampleHandle.class);
    private static final RelinkPlan PLAN = new RelinkPlan(Map.of(HANDLE, "ours/CarriedHandle"), List.of());

    private final Path directory;
    private final Path target;
    private final Path additions;

    JarRelinkerTest(@TempDir Path directory)
            throws IOException
    {
        this.directory = directory;
        target = directory.resolve("relinked");
        additions = Files.createDirectory(directory.resolve("additions"));
    }

    @Test
    void writesClassesResourcesCarriedTypesAndAdditions()
            throws IOException
    {
        Files.write(additions.resolve("SampleBystander.class"), ClassRelinkerTest.bytes(SampleBystander.class));
        Path connector = jar("connector.jar", Map.of(
                name(SampleConnector.class), ClassRelinkerTest.bytes(SampleConnector.class),
                "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n".getBytes(UTF_8),
                "META-INF/SIGNED.SF", new byte[0],
                "settings.properties", "a=b".getBytes(UTF_8)));

        new JarRelinker(PLAN, target).relink(connector, spi(), additions);

        assertThat(files()).containsExactlyInAnyOrder(name(SampleConnector.class), name(SampleBystander.class), "ours/CarriedHandle.class",
                "settings.properties");
    }

    @Test
    void oldContentOfTheTargetGoes()
            throws IOException
    {
        Files.createDirectories(target.resolve("old"));
        Files.writeString(target.resolve("old/Stale.class"), "stale");
        Path connector = jar("connector.jar", Map.of(name(SampleConnector.class), ClassRelinkerTest.bytes(SampleConnector.class)));

        new JarRelinker(PLAN, target).relink(connector, spi(), additions);

        assertThat(files()).doesNotContain("old/Stale.class");
    }

    @Test
    void spiOfAnotherRelease()
            throws IOException
    {
        Path connector = jar("connector.jar", Map.of(name(SampleConnector.class), ClassRelinkerTest.bytes(SampleConnector.class)));
        Path spi = jar("spi.jar", Map.of("a", new byte[0]));

        assertThatThrownBy(() -> new JarRelinker(PLAN, target).relink(connector, spi, additions))
                .isInstanceOf(RelinkException.class)
                .hasMessageContaining(HANDLE + " is not in " + spi);
    }

    @Test
    void connectorOfAnotherRelease()
            throws IOException
    {
        Path connector = jar("connector.jar", Map.of(name(SampleBystander.class), ClassRelinkerTest.bytes(SampleBystander.class)));

        assertThatThrownBy(() -> new JarRelinker(PLAN, target).relink(connector, spi(), additions))
                .isInstanceOf(RelinkException.class)
                .hasMessageContaining("no reference to " + HANDLE);
    }

    @Test
    void entryThatLeavesTheTarget()
            throws IOException
    {
        Path connector = jar("connector.jar", Map.of("../outside", new byte[0]));

        assertThatThrownBy(() -> new JarRelinker(PLAN, target).relink(connector, spi(), additions))
                .isInstanceOf(RelinkException.class)
                .hasMessageContaining("../outside");
        assertThat(directory.resolve("outside")).doesNotExist();
    }

    private Path spi()
            throws IOException
    {
        return jar("spi.jar", Map.of(HANDLE + ".class", ClassRelinkerTest.bytes(SampleHandle.class)));
    }

    private Path jar(String name, Map<String, byte[]> entries)
            throws IOException
    {
        Path jar = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                out.write(entry.getValue());
                out.closeEntry();
            }
        }
        return jar;
    }

    private List<String> files()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(target)) {
            return files.filter(Files::isRegularFile).map(file -> target.relativize(file).toString()).toList();
        }
    }

    private static String name(Class<?> type)
    {
        return Type.getInternalName(type) + ".class";
    }
}
