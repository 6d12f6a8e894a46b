// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.modules;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class SideChannelsTest
{
    private static final Path ROOT = Path.of("..");
    private static final Pattern DECLARATION = Pattern.compile("\\bThreadLocal<");
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\|");

    @Test
    void threadLocalVariablesAreListed()
            throws IOException
    {
        Set<String> listed = new TreeSet<>();
        boolean onTheThread = false;
        for (String line : Files.readAllLines(ROOT.resolve("docs/side-channels.md"))) {
            onTheThread = line.startsWith("## ") ? line.equals("## On the thread") : onTheThread;
            if (onTheThread) {
                ROW.matcher(line).results().forEach(row -> listed.add(row.group(1)));
            }
        }
        Set<String> declared = new TreeSet<>();
        for (String module : Set.of("cache-core", "cache-footer", "cache-fragment", "cache-fragment/engine", "cache-metastore", "presto-config",
                "presto-plugin", "scheduler-affinity")) {
            try (Stream<Path> sources = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                declared.addAll(sources.filter(source -> source.toString().endsWith(".java")).filter(SideChannelsTest::declaresThreadLocal).map(
                        source -> source.getFileName().toString().replace(".java", "")).collect(Collectors.toSet()));
            }
        }
        assertThat(declared).as("AesGcm's is a buffer").contains("AesGcm");
        declared.remove("AesGcm");
        assertThat(listed).isNotEmpty().isEqualTo(declared);
    }

    private static boolean declaresThreadLocal(Path source)
    {
        try {
            return DECLARATION.matcher(Files.readString(source)).find();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
