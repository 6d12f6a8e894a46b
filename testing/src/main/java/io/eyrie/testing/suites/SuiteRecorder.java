// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.suites;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.testing.files.Directories;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.presto.PrestoServerMain;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * A process that runs Presto's own test suites on Presto's own Hive connector and records the statements that they send. It ends with {@link #close}
 * and with this JVM.
 */
public final class SuiteRecorder
        implements AutoCloseable
{
    private static final ObjectMapper JSON = new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final Process process;
    private final Path recording;
    private final Path log;
    private final Path directory;

    /**
     * A line of the recording: a statement, or the reason why a method ended early.
     *
     * @param endedBy the first line of an exception; empty for a statement
     */
    public record Line(RecordedStatement statement, String endedBy)
    {}

    private SuiteRecorder(Process process, Path recording, Path log, Path directory)
    {
        this.process = requireNonNull(process, "process is null");
        this.recording = requireNonNull(recording, "recording is null");
        this.log = requireNonNull(log, "log is null");
        this.directory = requireNonNull(directory, "directory is null");
    }

    /**
     * Starts to record.
     *
     * @param recording the file to write; the log is next to it
     * @param methods as {@code suite#method}, or {@code suite} for all of its methods; none means all
     */
    public static SuiteRecorder start(Checkout checkout, Path recording, Collection<String> methods)
    {
        Path log = recording.resolveSibling(recording.getFileName() + ".log");
        try {
            Path directory = Files.createTempDirectory("eyrie-suites-").toRealPath();
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx1g",
                    "-Djdk.attach.allowAttachSelf=true",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                    "-Djava.io.tmpdir=" + directory,
                    "-Duser.timezone=UTC",
                    "-cp",
                    checkout.suitesClassPath() + File.pathSeparator + Path.of(PrestoServerMain.class.getProtectionDomain().getCodeSource()
                            .getLocation().toURI()),
                    PrestoServerMain.class.getName(),
                    "io.eyrie.suites.Recorder",
                    recording.toAbsolutePath().toString(),
                    checkout.stockPlugin().toString(),
                    Files.createDirectory(directory.resolve("metastore")).toString()));
            command.addAll(methods);
            return new SuiteRecorder(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(), recording, log,
                    directory);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the suites have ended, and returns the recording. */
    public List<Line> await(Duration timeout)
    {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("The suites have not ended within " + timeout + ", log: " + log);
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the suites run", e);
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException("The recorder of the suites ended with " + process.exitValue() + ", log: " + log);
        }
        return read(recording);
    }

    /** Returns the lines of a recording. */
    public static List<Line> read(Path recording)
    {
        try (Stream<String> lines = Files.lines(recording)) {
            return lines.map(SuiteRecorder::parse).toList();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Line parse(String line)
    {
        try {
            return new Line(JSON.readValue(line, RecordedStatement.class), JSON.readTree(line).path("endedBy").asText());
        }
        catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }

    @Override
    public void close()
    {
        process.destroyForcibly().onExit().join();
        Directories.delete(directory);
    }
}
