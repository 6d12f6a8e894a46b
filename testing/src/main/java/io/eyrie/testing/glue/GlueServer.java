package io.eyrie.testing.glue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/**
 * AWS Glue as moto has it, in a process of its own, in memory, on loopback, without authentication. It runs from {@link #start} to {@link #close}, which leaves no
 * process; its log stays.
 */
public final class GlueServer
        implements AutoCloseable
{
    private static final Duration PREPARE_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Process process;
    private final int port;

    private GlueServer(Process process, int port)
    {
        this.process = requireNonNull(process, "process is null");
        this.port = port;
    }

    /**
     * Starts a server and returns when it takes connections.
     *
     * @param prepare testing/glue/prepare, which makes what it runs in
     * @param log where its output goes
     */
    public static GlueServer start(Path prepare, Path log)
    {
        try {
            Path python = python(prepare);
            int port = freePort();
            Files.createDirectories(log.toAbsolutePath().getParent());
            Process process = new ProcessBuilder(python.toString(), "-m", "moto.server", "-H", "127.0.0.1", "-p", Integer.toString(port))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            GlueServer server = new GlueServer(process, port);
            try {
                server.await(log);
                return server;
            }
            catch (RuntimeException | IOException e) {
                server.close();
                throw e;
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI uri()
    {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public void close()
    {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
        catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static Path python(Path prepare)
            throws IOException
    {
        Process process = new ProcessBuilder(prepare.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PREPARE_TIMEOUT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(prepare + " failed");
            }
            return Path.of(output.strip());
        }
        catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(prepare + " was interrupted", e);
        }
    }

    private static int freePort()
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void await(Path log)
            throws IOException
    {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!answers()) {
            try {
                if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS) || System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("moto does not start: " + Files.readString(log));
                }
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while moto starts", e);
            }
        }
    }

    private boolean answers()
    {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        }
        catch (IOException e) {
            return false;
        }
    }
}
