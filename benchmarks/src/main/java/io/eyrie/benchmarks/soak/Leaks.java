// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.testing.presto.NodeMBeans;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources that an idle node holds.
 *
 * @param heapBytes live bytes after a garbage collection
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Leaks(double descriptors, double threads, double heapBytes)
{
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    // connections, pools and code that grow with the first hundreds of queries
    private static final double MORE_DESCRIPTORS = 150;
    private static final double MORE_THREADS = 150;
    private static final double MORE_HEAP_BYTES = 128 << 20;

    /** Measures a running process. */
    static Leaks of(NodeMBeans node, long pid)
    {
        return new Leaks(
                node.number("java.lang:type=OperatingSystem", "OpenFileDescriptorCount"),
                node.number("java.lang:type=Threading", "ThreadCount"),
                liveBytes(pid));
    }

    /** Returns whether nothing grew more than a server's first minutes explain. */
    boolean isLittleMoreThan(Leaks before)
    {
        return descriptors <= before.descriptors + MORE_DESCRIPTORS
                && threads <= before.threads + MORE_THREADS
                && heapBytes <= before.heapBytes + MORE_HEAP_BYTES;
    }

    /** Returns the live bytes in a JVM's heap: a histogram makes the JVM collect first, and its last line is the sum. */
    public static double liveBytes(long pid)
    {
        return word(jcmd(pid, List.of("GC.class_histogram")).lines().filter(line -> line.startsWith("Total")).findFirst().orElseThrow(), 2);
    }

    /** Returns what {@code jcmd} prints for a JVM of this user. */
    public static String jcmd(long pid, List<String> command)
    {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return output(Stream.concat(Stream.of(jcmd, Long.toString(pid)), command.stream()).toArray(String[]::new));
    }

    private static double word(String text, int index)
    {
        return Double.parseDouble(BLANKS.splitAsStream(text.strip()).skip(index).findFirst().orElseThrow());
    }

    /** Returns the bytes of the blocks that the files of a directory occupy. */
    static double blockBytes(Path directory)
    {
        return word(output("du", "-s", "-B1", directory.toString()), 0);
    }

    private static String output(String... command)
    {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
