// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the jar of cache-fs on the client jars of other versions of Hadoop, as Spark includes them. */
class HadoopVersionIT
{
    @Test
    void hadoopOfSpark35IsRefusedWithAReason(@TempDir Path directory)
            throws Exception
    {
        assertThat(probe("hadoop-refused", directory))
                .contains("io.eyrie.fs.EyrieFileSystem needs Hadoop 3.4.1 or later, but this is Hadoop 3.3.4")
                .contains("To fix: use Spark 4.0 or later")
                .doesNotContain("NoClassDefFoundError", "hits=");
    }

    @Test
    void leastHadoopReadsThroughTheCache(@TempDir Path directory)
            throws Exception
    {
        assertThat(probe("hadoop-least", directory)).contains("hadoop=3.4.1 bytes=200000 hits=true").doesNotContain("Exception");
    }

    private static String probe(String hadoop, Path directory)
            throws IOException,
            InterruptedException
    {
        Path file = Files.write(directory.resolve("file"), new byte[200_000]);
        Path cache = Files.createDirectory(directory.resolve("cache"));
        Process process = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath(Path.of("target", hadoop)),
                HadoopProbe.class.getName(),
                file.toString(),
                cache.toString()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /* The own jar, the probe, the version's jars, and the loggers that those do not include. */
    private static String classPath(Path hadoop)
            throws IOException
    {
        List<String> own = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(".*/(eyrie-cache-fs-[^/]*(?<!tests)\\.jar|test-classes|slf4j-api-[^/]*|commons-logging-[^/]*)"))
                .toList();
        assertThat(own).as("one jar, the probe, loggers").hasSizeGreaterThanOrEqualTo(3);
        try (Stream<Path> jars = Files.list(hadoop)) {
            return Stream.concat(own.stream(), jars.map(Path::toString)).collect(Collectors.joining(File.pathSeparator));
        }
    }
}
