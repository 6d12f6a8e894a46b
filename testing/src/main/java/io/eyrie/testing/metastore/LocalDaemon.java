// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.metastore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/** A process that serves a port on loopback. It ends with {@link #close} and with this JVM, however the JVM ends. */
final class LocalDaemon
        implements AutoCloseable
{
    /* Runs a command that lives as long as another process holds the other end of its standard input. */
    private static final String UNTIL_INPUT_ENDS = "exec 3<&0; \"$@\" </dev/null & child=$!; (cat <&3 >/dev/null; kill -9 $child) & wait $child";
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int CONNECT_TIMEOUT_MILLIS = 1000;
    private static final int SHOWN_LOG_LINES = 40;

    private final Path log;
    private final int port;
    private final Process process;

    private LocalDaemon(Path log, int port, Process process)
    {
        this.log = requireNonNull(log, "log is null");
        this.port = port;
        this.process = requireNonNull(process, "process is null");
    }

    /** Starts a process, which must end itself when this JVM ends, and returns when the port answers. */
    static LocalDaemon start(List<String> command, Path directory, Path log, int port)
    {
        try {
            Files.createDirectories(requireNonNull(log.toAbsolutePath().getParent(), "log has no parent"));
            LocalDaemon daemon = new LocalDaemon(
                    log,
                    port,
                    new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start());
            daemon.awaitStarted();
            return daemon;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts any process, which is killed when this JVM ends, and returns when the port answers. */
    static LocalDaemon startBound(List<String> command, Path directory, Path log, int port)
    {
        List<String> bound = new ArrayList<>(List.of("sh", "-c", UNTIL_INPUT_ENDS, "sh"));
        bound.addAll(command);
        return start(bound, directory, log, port);
    }

    int port()
    {
        return port;
    }

    long pid()
    {
        return process.pid();
    }

    @Override
    public void close()
    {
        try {
            process.getOutputStream().close();
            process.destroy();
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        catch (IOException e) {
            process.destroyForcibly();
        }
        catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitStarted()
    {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                String tail = logTail();
                close();
                throw new IllegalStateException("It does not start. Log: " + log + ", its end:\n" + tail);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
            }
            catch (InterruptedException e) {
                close();
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while it starts", e);
            }
        }
    }

    private boolean answers()
    {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MILLIS);
            return true;
        }
        catch (IOException e) {
            return false;
        }
    }

    private String logTail()
    {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LOG_LINES), lines.size()));
        }
        catch (IOException e) {
            return "unreadable: " + e;
        }
    }
}
