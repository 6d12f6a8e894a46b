// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.bench;

import io.eyrie.testing.lake.Checkout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * Runs measurements of a module's test classes, each in a JVM of its own with the plugin's class path.
 *
 * @param testClasses the directory of the test classes in the checkout
 * @param main the main class
 */
record PluginJvm(Checkout checkout, String testClasses, String main)
{
    PluginJvm
    {
        requireNonNull(checkout, "checkout is null");
        requireNonNull(testClasses, "testClasses is null");
        requireNonNull(main, "main is null");
    }

    /**
     * Runs the main class to its end.
     *
     * @param prefixes of the lines that are results
     * @param progress receives all lines
     * @return the results, at least one
     */
    List<String> run(List<String> arguments, List<String> prefixes, Consumer<String> progress)
    {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx4g",
                "-Dslf4j.internal.verbosity=ERROR",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                "-cp",
                String.join(
                        ":",
                        jars(checkout.eyriePlugin()),
                        checkout.root().resolve(testClasses).toString(),
                        checkout.root().resolve("testing/target/classes").toString(),
                        checkout.engineLib() + "/*"),
                main));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            List<String> lines = new ArrayList<>();
            try (BufferedReader output = process.inputReader(UTF_8)) {
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    progress.accept(line);
                    if (prefixes.stream().anyMatch(line::startsWith)) {
                        lines.add(line);
                    }
                }
            }
            finally {
                process.destroy();
            }
            if (process.waitFor() != 0 || lines.isEmpty()) {
                throw new IllegalStateException(main + " " + String.join(" ", arguments) + " failed");
            }
            return lines;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while it measures", e);
        }
    }

    /* The jars are in the order in which the engine loads them: two of them have classes of the same names. */
    private static String jars(Path folder)
    {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).sorted().collect(Collectors.joining(":"));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
