// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import io.eyrie.testing.files.Directories;
import io.eyrie.testing.port.FreePorts;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * One Presto process and its directories. Each start rewrites its configuration; its data directory stays. Not thread-safe; the cluster calls it
 * under its lock.
 */
final class PrestoNode
{
    /*
     * directory/  etc/config.properties, etc/log.properties, etc/catalog/<name>.properties
     *             data/    the node's data directory
     *             tmp/     java.io.tmpdir
     * log         standard output and error, appended to at a restart
     */
    private static final Duration GRACE = Duration.ofSeconds(20);
    private static final int SHOWN_LOG_LINES = 40;

    private final String name;
    private final Path directory;
    private final Path log;
    private int port;
    private int sparePort;
    private long startedAt;
    private volatile @Nullable Process process;

    PrestoNode(String name, Path directory, Path log)
    {
        this.name = requireNonNull(name, "name is null");
        this.directory = requireNonNull(directory, "directory is null");
        this.log = requireNonNull(log, "log is null");
    }

    String name()
    {
        return name;
    }

    Path directory()
    {
        return directory;
    }

    Path log()
    {
        return log;
    }

    /** Returns the port of the running process, or of the next one. */
    int port()
    {
        return port;
    }

    /** Returns a port that Presto does not use; it changes together with {@link #port}. */
    int sparePort()
    {
        return sparePort;
    }

    /** Assigns other free ports to the node. Another process may take them before the node starts. */
    void choosePort()
    {
        port = FreePorts.next();
        sparePort = FreePorts.next();
    }

    /** Returns whether the process ended because another process had its port. */
    boolean foundPortTaken()
    {
        return wasStarted() && !isRunning() && logLines().stream().anyMatch(line -> line.contains("Address already in use"));
    }

    /** Returns the node's address. */
    URI uri()
    {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Starts the process and returns at once. */
    void start(PrestoLaunch launch, Map<String, String> config, Map<String, Map<String, String>> catalogs)
    {
        if (isRunning()) {
            throw new IllegalStateException(name + " runs already");
        }
        try {
            writeFiles(config, catalogs);
            Process started = new ProcessBuilder(launch.command(name, directory).stream().map(this::resolved).toList())
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process = started;
            startedAt = System.nanoTime();
        }
        catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + name, e);
        }
    }

    private void writeFiles(Map<String, String> config, Map<String, Map<String, String>> catalogs)
            throws IOException
    {
        Path etc = directory.resolve("etc");
        Path catalogDirectory = etc.resolve("catalog");
        Directories.delete(catalogDirectory);
        Files.createDirectories(catalogDirectory);
        // a cache refuses a directory that its group may write to, which is what some users' umask gives
        Files.createDirectories(directory.resolve("data"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectories(directory.resolve("tmp"));
        Files.createDirectories(requireNonNull(log.getParent(), "log has no parent"));
        write(etc.resolve("config.properties"), config);
        write(etc.resolve("log.properties"), Map.of("com.facebook.presto", "INFO", "com.facebook.airlift.bootstrap", "WARN"));
        for (Map.Entry<String, Map<String, String>> catalog : catalogs.entrySet()) {
            write(catalogDirectory.resolve(catalog.getKey() + ".properties"), catalog.getValue());
        }
    }

    private void write(Path file, Map<String, String> properties)
            throws IOException
    {
        Map<String, String> own = new TreeMap<>();
        properties.forEach((key, value) -> {
            if (key.indexOf(':') < 0) {
                own.putIfAbsent(key, value);
            }
            else if (key.startsWith(name + ":")) {
                own.put(key.substring(name.length() + 1), value);
            }
        });
        String text = own.entrySet().stream()
                .map(entry -> String.format(Locale.ROOT, "%s=%s%n", entry.getKey(), resolved(entry.getValue()).replace("\\", "\\\\")))
                .collect(Collectors.joining());
        Files.writeString(file, text);
    }

    /** Returns a text with this node's values inserted. */
    private String resolved(String text)
    {
        return text.replace("${node.directory}", directory.toString())
                .replace("${node.spare-port}", Integer.toString(sparePort))
                .replace("${node}", name);
    }

    boolean isRunning()
    {
        return process != null && process.isAlive();
    }

    boolean wasStarted()
    {
        return process != null;
    }

    /** Returns the exit code of the process, which has ended. */
    int exitCode()
    {
        return requireNonNull(process, "not started").exitValue();
    }

    /** Returns the time since the running process was started. */
    Duration processAge()
    {
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    long pid()
    {
        return requireNonNull(process, "not started").pid();
    }

    /** Asks the process to end; {@link #awaitStopped} waits for it. */
    void requestStop()
    {
        if (process != null) {
            // Process.destroy also closes the process's input, and the process then halts without its shutdown hooks
            process.toHandle().destroy();
        }
    }

    /** Waits for a process that was asked to end, and kills it after a grace period. */
    void awaitStopped()
    {
        Process running = process;
        if (running == null) {
            return;
        }
        try {
            if (!running.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
            }
        }
        catch (InterruptedException e) {
            running.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        process = null;
    }

    /** Kills the process, as a crash does, and returns when it has ended. */
    void kill()
    {
        Process running = process;
        if (running == null) {
            return;
        }
        running.destroyForcibly();
        try {
            running.waitFor();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process = null;
    }

    /** Kills the process without waiting for its end; any thread may call this. */
    void killNow()
    {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    /** Returns the end of the log, for an error message. */
    String logTail()
    {
        List<String> lines = logLines();
        List<String> shown = lines.subList(Math.max(0, lines.size() - SHOWN_LOG_LINES), lines.size());
        return String.join("\n", shown);
    }

    /** Returns all lines of the log, including those of earlier processes since {@link #clearLog}. */
    List<String> logLines()
    {
        if (!Files.exists(log)) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        try (Stream<String> all = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            all.forEach(lines::add);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Collections.unmodifiableList(lines);
    }

    /** Deletes the log of earlier processes. */
    void clearLog()
    {
        try {
            Files.deleteIfExists(log);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
