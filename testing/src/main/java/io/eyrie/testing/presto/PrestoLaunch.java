// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * The command line of a Presto process.
 *
 * @param engineLib the folder of the engine's jars
 * @param javaHome the JDK
 * @param heapMegabytes the process's heap
 * @param jvmOptions options that follow the fixed ones and may override them
 */
record PrestoLaunch(Path engineLib, Path javaHome, int heapMegabytes, List<String> jvmOptions)
{
    PrestoLaunch
    {
        requireNonNull(engineLib, "engineLib is null");
        requireNonNull(javaHome, "javaHome is null");
        jvmOptions = List.copyOf(jvmOptions);
        if (!Files.isDirectory(engineLib)) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "The engine's jars are missing: %s (build testing/presto-engine)",
                    engineLib));
        }
    }

    List<String> command(String node, Path directory)
    {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.add("-Xmx" + heapMegabytes + "m");
        command.add("-XX:+ExitOnOutOfMemoryError");
        Path archive = engineLib.toAbsolutePath().resolveSibling("classes.jsa");
        if (Files.exists(archive)) {
            command.add("-XX:SharedArchiveFile=" + archive);
        }
        command.add("-Djdk.attach.allowAttachSelf=true");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.lang.reflect=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.net=ALL-UNNAMED");
        command.add("-Djava.io.tmpdir=" + directory.resolve("tmp"));
        command.add("-Duser.timezone=UTC");
        command.add("-Dnode.environment=eyrie");
        command.add("-Dnode.id=" + node);
        command.add("-Dnode.data-dir=" + directory.resolve("data"));
        command.add("-Dnode.internal-address=127.0.0.1");
        command.add("-Dnode.bind-ip=127.0.0.1");
        command.add("-Dconfig=" + directory.resolve("etc/config.properties"));
        command.add("-Dlog.levels-file=" + directory.resolve("etc/log.properties"));
        command.add("-Dpresto.version=" + engineVersion());
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(engineLib.toAbsolutePath() + "/*:" + ownClasses());
        command.add(PrestoServerMain.class.getName());
        command.add("com.facebook.presto.server.PrestoServer");
        return command;
    }

    private String engineVersion()
    {
        String prefix = "presto-main-";
        try (Stream<Path> jars = Files.list(engineLib)) {
            List<String> versions = jars.map(jar -> jar.getFileName().toString())
                    .filter(jar -> jar.matches("presto-main-\\d.*\\.jar"))
                    .map(jar -> jar.substring(prefix.length(), jar.length() - ".jar".length()))
                    .collect(Collectors.toList());
            if (versions.size() != 1) {
                throw new IllegalArgumentException(String.format(Locale.ROOT, "%s holds %s versions of presto-main", engineLib, versions.size()));
            }
            return versions.get(0);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path ownClasses()
    {
        try {
            return Path.of(PrestoServerMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        }
        catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
