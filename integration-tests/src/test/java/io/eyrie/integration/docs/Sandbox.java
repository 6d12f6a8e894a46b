// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.docs;

import io.eyrie.testing.lake.Checkout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The machine that the pages describe, in a directory: absolute paths of the pages are below it, and commands run in Presto's folder, {@link #presto}. There are
 * the files of a release: the archive of the plugin, and the command {@code eyrie}, which the pages install.
 */
final class Sandbox
{
    private static final Pattern ABSOLUTE = Pattern.compile("(?<![\\w.])/(mnt|opt|srv|ssd\\d|var)/");
    private static final Pattern COMMA = Pattern.compile(",");
    private static final int TIMEOUT_MINUTES = 3;

    private final Path root;
    private final Path presto;

    Sandbox(Checkout checkout, Path root)
            throws IOException
    {
        this.root = requireNonNull(root, "root is null");
        this.presto = root.resolve("opt/presto");
        for (String folder : new String[] {"bin", "plugin", "etc/catalog"}) {
            Files.createDirectories(presto.resolve(folder));
        }
        Files.writeString(presto.resolve("etc/config.properties"),
                "coordinator=true\nnode-scheduler.include-coordinator=true\nhttp-server.http.port=8080\ndiscovery.uri=http://localhost:8080\n");
        Files.writeString(presto.resolve("etc/jvm.config"),
                "-server\n-Xmx16G\n-Djdk.attach.allowAttachSelf=true\n--add-opens=java.base/java.net=ALL-UNNAMED\n");
        link(checkout.root().resolve("presto-plugin/target"), "eyrie-presto-plugin-*.tar.gz");
        link(checkout.root().resolve("cli/target"), "eyrie-cli-*-runnable.jar");
    }

    private void link(Path folder, String glob)
            throws IOException
    {
        try (Stream<Path> files = Files.list(folder)) {
            Path file = files.filter(path -> path.getFileSystem().getPathMatcher("glob:" + glob).matches(path.getFileName())).findFirst().orElseThrow(
                    () -> new IllegalStateException("No " + glob + " in " + folder + ": build it with ./mvnw package -DskipTests"));
            Files.createSymbolicLink(presto.resolve(file.getFileName()), file);
        }
    }

    /** Returns Presto's folder. */
    Path presto()
    {
        return presto;
    }

    /** Returns a text of a page with the paths of this directory. */
    String located(String text)
    {
        return ABSOLUTE.matcher(text).replaceAll(Matcher.quoteReplacement(root.toString()) + "/$1/");
    }

    /** Returns properties of a page with the paths of this directory. */
    Map<String, String> located(Map<String, String> properties)
    {
        Map<String, String> here = new TreeMap<>(properties);
        here.replaceAll((key, value) -> located(value));
        return here;
    }

    /** Creates the directories that properties name; the text around them asks the reader to create these. */
    void createDirectories(Map<String, String> properties)
            throws IOException
    {
        for (Map.Entry<String, String> property : properties.entrySet()) {
            if (property.getKey().endsWith("-directory")) {
                for (String directory : COMMA.splitAsStream(property.getValue()).toList()) {
                    Path path = Path.of(directory.strip().replaceFirst("^file:(//)?", ""));
                    Files.createDirectories(path);
                    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
                }
            }
        }
    }

    /** Runs a block of commands, which must succeed. Returns what they print. */
    String run(String commands)
            throws IOException,
            InterruptedException
    {
        ProcessBuilder builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", located(commands)).directory(presto.toFile())
                .redirectErrorStream(true);
        builder.environment().merge("PATH", presto.resolve("bin") + ":" + Path.of(System.getProperty("java.home"), "bin"), (old, bin) -> bin + ":"
                + old);
        Path output = Files.createTempFile(root, "output", ".txt");
        Process process = builder.redirectOutput(output.toFile()).start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        String printed = Files.readString(output, StandardCharsets.UTF_8).replace(root.toString(), "");
        assertThat(ended).as("ends within %s minutes; it printed:%n%s", TIMEOUT_MINUTES, printed).isTrue();
        assertThat(process.exitValue()).as(String.format(Locale.ROOT, "exit code; it printed:%n%s", printed)).isZero();
        return printed;
    }
}
