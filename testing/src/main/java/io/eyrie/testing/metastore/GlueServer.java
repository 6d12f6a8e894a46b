// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.metastore;

import io.eyrie.testing.port.FreePorts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Runs moto's emulation of AWS Glue in its own process: in memory, on loopback, accepting any credentials. It runs from {@link #start} to
 * {@link #close}, which ends the process. Its log remains.
 */
public final class GlueServer
        implements AutoCloseable
{
    private final LocalDaemon server;

    private GlueServer(LocalDaemon server)
    {
        this.server = requireNonNull(server, "server is null");
    }

    /**
     * Starts a server and returns when it accepts connections.
     *
     * @param prepare testing/glue/prepare, which creates the server's Python environment
     * @param log the file for its output
     */
    public static GlueServer start(Path prepare, Path log)
    {
        try {
            int port = FreePorts.next();
            List<String> command = List.of(python(prepare), "-m", "moto.server", "-H", "127.0.0.1", "-p", Integer.toString(port));
            return new GlueServer(LocalDaemon.startBound(command, Path.of("."), log, port));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the value for {@code hive.metastore.glue.endpoint-url}. */
    public URI uri()
    {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public void close()
    {
        server.close();
    }

    private static String python(Path prepare)
            throws IOException
    {
        Process process = new ProcessBuilder(prepare.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(prepare + " failed");
            }
            return output.strip();
        }
        catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(prepare + " was interrupted", e);
        }
    }
}
