// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.hdfs;

import io.eyrie.testing.files.Directories;
import io.eyrie.testing.port.FreePorts;
import io.eyrie.testing.presto.PrestoServerMain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Runs Hadoop's mini cluster in its own process: a name node and one data node on loopback, with their files in a temporary directory. It runs from
 * {@link #start} to {@link #close}, which ends the process and deletes the directory. Its log remains.
 */
public final class HdfsServer
        implements AutoCloseable
{
    private static final String MAIN_CLASS = "org.apache.hadoop.test.MiniDFSClusterManager";
    // the name node writes each request to its audit log before it answers; its request counter is up to ten seconds old
    private static final String BLOCK_LOCATIONS = "\tcmd=open\t";
    private static final String LOGGING = """
            log4j.rootLogger=WARN,out
            log4j.appender.out=org.apache.log4j.ConsoleAppender
            log4j.appender.out.layout=org.apache.log4j.PatternLayout
            log4j.appender.out.layout.ConversionPattern=%d %p %c: %m%n
            log4j.logger.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=INFO,audit
            log4j.additivity.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=false
            log4j.appender.audit=org.apache.log4j.FileAppender
            log4j.appender.audit.file=${audit}
            log4j.appender.audit.layout=org.apache.log4j.PatternLayout
            log4j.appender.audit.layout.ConversionPattern=%m%n
            """;
    private static final String OWNER = System.getProperty("user.name");
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Path directory;
    private final int port;
    private final int httpPort;
    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();

    private HdfsServer(Path directory, int port, int httpPort, Process process)
    {
        this.directory = requireNonNull(directory, "directory is null");
        this.port = port;
        this.httpPort = httpPort;
        this.process = requireNonNull(process, "process is null");
    }

    /**
     * Starts a cluster and returns when it accepts files.
     *
     * @param lib the cluster's jars (target/lib of testing/hdfs)
     * @param log the file for its output
     */
    public static HdfsServer start(Path lib, Path log)
    {
        if (!Files.isDirectory(lib)) {
            throw new IllegalArgumentException("The jars of HDFS are missing: " + lib + " (build testing/hdfs)");
        }
        try {
            Path directory = Files.createTempDirectory("eyrie-hdfs-").toRealPath();
            Files.createDirectories(requireNonNull(log.toAbsolutePath().getParent(), "log has no parent"));
            int port = FreePorts.next();
            int httpPort = FreePorts.next();
            Path started = directory.resolve("started");
            Path logging = Files.writeString(directory.resolve("log4j.properties"), LOGGING);
            Process process = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    // WebHDFS was written for Java 8 and needs this
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "-Dtest.build.data=" + directory,
                    "-Dlog4j.configuration=" + logging.toUri(),
                    "-Daudit=" + auditLog(directory),
                    "-Djava.io.tmpdir=" + directory,
                    "-cp", lib.toAbsolutePath() + "/*:" + ownClasses(),
                    PrestoServerMain.class.getName(),
                    MAIN_CLASS,
                    "-format",
                    "-datanodes", "1",
                    "-nnport", Integer.toString(port),
                    "-httpport", Integer.toString(httpPort),
                    "-writeDetails", started.toString(),
                    // the user that starts Presto may impersonate Presto's users
                    "-D", "hadoop.proxyuser." + OWNER + ".hosts=*",
                    "-D", "hadoop.proxyuser." + OWNER + ".groups=*")
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            HdfsServer server = new HdfsServer(directory, port, httpPort, process);
            server.awaitFile(started, log);
            return server;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the file system's URI. */
    public URI uri()
    {
        return URI.create("hdfs://127.0.0.1:" + port);
    }

    /** Creates a directory that all users may write to. */
    public void createDirectory(String path)
    {
        String answer = put(path, "MKDIRS&permission=777");
        if (!answer.contains("true")) {
            throw new IllegalStateException("The directory " + path + " is not made: " + answer);
        }
    }

    /** Sets the permission of a file or directory: three octal digits, for its owner, its group and all others. */
    public void setPermission(String path, String permission)
    {
        String answer = put(path, "SETPERMISSION&permission=" + permission);
        if (!answer.isEmpty()) {
            throw new IllegalStateException("The permission of " + path + " is not changed: " + answer);
        }
    }

    /** Sets the owner of a file or directory. */
    public void setOwner(String path, String owner)
    {
        String answer = put(path, "SETOWNER&owner=" + owner);
        if (!answer.isEmpty()) {
            throw new IllegalStateException("The owner of " + path + " is not changed: " + answer);
        }
    }

    /** Writes a file, replacing an existing one. */
    public void write(String path, byte[] content)
    {
        // the name node redirects the writer to a data node
        URI dataNode = URI.create(send(put(location(path, "CREATE&overwrite=true"), BodyPublishers.noBody())).headers().firstValue("Location")
                .orElseThrow());
        HttpResponse<String> answer = send(put(dataNode, BodyPublishers.ofByteArray(content)));
        if (answer.statusCode() != 201) {
            throw new IllegalStateException("The file " + path + " is not written: status " + answer.statusCode() + ", " + answer.body());
        }
    }

    private String put(String path, String operation)
    {
        return send(put(location(path, operation), BodyPublishers.noBody())).body();
    }

    private URI location(String path, String operation)
    {
        return URI.create("http://127.0.0.1:" + httpPort + "/webhdfs/v1" + path + "?op=" + operation + "&user.name=" + OWNER);
    }

    private static HttpRequest put(URI location, BodyPublisher body)
    {
        return HttpRequest.newBuilder(location).PUT(body).build();
    }

    /** Returns how many times clients asked the name node for the blocks of a file: once for each file that they open. */
    public long blockLocationRequests()
    {
        try (Stream<String> requests = Files.lines(auditLog(directory))) {
            return requests.filter(request -> request.contains(BLOCK_LOCATIONS)).count();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path auditLog(Path directory)
    {
        return directory.resolve("audit.log");
    }

    private HttpResponse<String> send(HttpRequest request)
    {
        try {
            return http.send(request, BodyHandlers.ofString());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the name node was asked", e);
        }
    }

    @Override
    public void close()
    {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        Directories.delete(directory);
    }

    private void awaitFile(Path started, Path log)
    {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!Files.exists(started)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                close();
                throw new IllegalStateException("HDFS does not start. Log: " + log);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
            }
            catch (InterruptedException e) {
                close();
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while HDFS starts", e);
            }
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
