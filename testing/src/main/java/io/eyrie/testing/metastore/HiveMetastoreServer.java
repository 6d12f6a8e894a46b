package io.eyrie.testing.metastore;

import io.eyrie.testing.files.Directories;
import io.eyrie.testing.presto.PrestoServerMain;
import io.eyrie.testing.s3.S3Server;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/**
 * A Hive Metastore in a process of its own: thrift on loopback, Derby in a temporary directory, S3A for the locations of an S3 server. It runs from
 * {@link #start} to {@link #close}, which leaves no process and no directory; its log stays.
 */
public final class HiveMetastoreServer
        implements AutoCloseable
{
    /** Has it write a notification log, in the transactions of its changes, that anyone may read. */
    public static final Map<String, String> NOTIFICATION_LOG = Map.of(
            "metastore.transactional.event.listeners",
            "org.apache.hive.hcatalog.listener.DbNotificationListener",
            "metastore.metastore.event.db.notification.api.auth",
            "false");

    private static final String MAIN_CLASS = "org.apache.hadoop.hive.metastore.HiveMetaStore";
    private static final List<String> SERDES_WITH_SCHEMA_IN_METASTORE = List.of(
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
            "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
            "org.apache.hadoop.hive.serde2.OpenCSVSerde",
            "org.apache.hadoop.hive.serde2.columnar.ColumnarSerDe",
            "org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe",
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            "org.apache.hadoop.hive.serde2.lazybinary.LazyBinarySerDe");
    private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final int CONNECT_TIMEOUT_MILLIS = 1000;
    private static final int SHOWN_LOG_LINES = 40;
    private static final int THRIFT_CALL = 0x80010001; // binary protocol, strict

    private final Path directory;
    private final Path log;
    private final int port;
    private final Process process;

    private HiveMetastoreServer(Path directory, Path log, int port, Process process)
    {
        this.directory = requireNonNull(directory, "directory is null");
        this.log = requireNonNull(log, "log is null");
        this.port = port;
        this.process = requireNonNull(process, "process is null");
    }

    /**
     * Starts a metastore and returns when it answers.
     *
     * @param lib its jars (testing/hive-metastore's target/lib)
     * @param log where its output goes
     * @param s3 where {@code s3a:} locations are
     */
    public static HiveMetastoreServer start(Path lib, Path log, S3Server s3)
    {
        return start(lib, log, s3(s3));
    }

    /**
     * Starts a metastore and returns when it answers.
     *
     * @param lib its jars (testing/hive-metastore's target/lib)
     * @param log where its output goes
     * @param more properties beside or instead of its own
     */
    public static HiveMetastoreServer start(Path lib, Path log, Map<String, String> more)
    {
        if (!Files.isDirectory(lib)) {
            throw new IllegalArgumentException("The metastore's jars are missing: " + lib + " (build testing/hive-metastore)");
        }
        try {
            Path directory = Files.createTempDirectory("eyrie-metastore-").toRealPath();
            int port = freePort();
            Map<String, String> properties = properties(directory, port);
            properties.putAll(more);
            writeSite(directory, properties);
            HiveMetastoreServer server = new HiveMetastoreServer(directory, log, port, startProcess(lib, log, directory));
            server.awaitStarted();
            server.makeTablesOfTheLog();
            return server;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What {@code hive.metastore.uri} has to be. */
    public URI uri()
    {
        return URI.create("thrift://127.0.0.1:" + port);
    }

    /** Where it puts databases and tables that name no location. */
    public URI warehouse()
    {
        return directory.resolve("warehouse").toUri();
    }

    /** The process. */
    public long pid()
    {
        return process.pid();
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

    private void awaitStarted()
    {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                String tail = logTail();
                close();
                throw new IllegalStateException("The metastore does not start. Log: " + log + ", its end:\n" + tail);
            }
            try {
                TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
            }
            catch (InterruptedException e) {
                close();
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the metastore starts", e);
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

    /* Its database gets a table when that is first read; a change that comes before the log's tables are there is lost without an error. */
    private void makeTablesOfTheLog()
            throws IOException
    {
        byte[] method = "get_current_notificationEventId".getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            DataOutputStream call = new DataOutputStream(socket.getOutputStream());
            call.writeInt(THRIFT_CALL);
            call.writeInt(method.length);
            call.write(method);
            call.writeInt(0); // number of the call
            call.writeByte(0); // no arguments
            call.flush();
            if (socket.getInputStream().read() < 0) {
                throw new IOException("The metastore does not answer. Log: " + log);
            }
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

    private static Process startProcess(Path lib, Path log, Path directory)
            throws IOException
    {
        Files.createDirectories(requireNonNull(log.toAbsolutePath().getParent(), "log has no parent"));
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dderby.stream.error.file=" + directory.resolve("derby.log"),
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                directory + ":" + lib.toAbsolutePath() + "/*:" + ownClasses(),
                PrestoServerMain.class.getName(),
                MAIN_CLASS)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static Map<String, String> properties(Path directory, int port)
    {
        Map<String, String> properties = new TreeMap<>();
        properties.put("metastore.thrift.port", Integer.toString(port));
        properties.put("metastore.warehouse.dir", directory.resolve("warehouse").toUri().toString());
        properties.put("javax.jdo.option.ConnectionURL", "jdbc:derby:;databaseName=" + directory.resolve("derby") + ";create=true");
        properties.put("javax.jdo.option.ConnectionDriverName", "org.apache.derby.jdbc.EmbeddedDriver");
        properties.put("datanucleus.schema.autoCreateAll", "true");
        properties.put("metastore.schema.verification", "false");
        // the defaults name classes of Hive's server
        properties.put("metastore.task.threads.always", "org.apache.hadoop.hive.metastore.events.EventCleanerTask");
        properties.put("metastore.expression.proxy", "org.apache.hadoop.hive.metastore.DefaultPartitionExpressionProxy");
        // without Hive's server it cannot read a schema from the serde of CSV, whose columns are texts anyway
        properties.put("metastore.serdes.using.metastore.for.schema", String.join(",", SERDES_WITH_SCHEMA_IN_METASTORE));
        return properties;
    }

    /** Has it find {@code s3a:} locations on a server. */
    public static Map<String, String> s3(S3Server s3)
    {
        return Map.of(
                "fs.s3a.endpoint",
                s3.endpoint().toString(),
                "fs.s3a.access.key",
                s3.accessKey(),
                "fs.s3a.secret.key",
                s3.secretKey(),
                "fs.s3a.path.style.access",
                "true",
                "fs.s3a.connection.ssl.enabled",
                "false");
    }

    private static void writeSite(Path directory, Map<String, String> properties)
            throws IOException
    {
        String body = properties.entrySet().stream()
                .map(entry -> "<property><name>" + entry.getKey() + "</name><value>" + entry.getValue() + "</value></property>\n")
                .collect(Collectors.joining("", "<configuration>\n", "</configuration>\n"));
        Files.writeString(directory.resolve("metastore-site.xml"), body);
    }

    private static int freePort()
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
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
