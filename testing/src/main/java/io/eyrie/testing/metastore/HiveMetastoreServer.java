// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.metastore;

import io.eyrie.testing.files.Directories;
import io.eyrie.testing.port.FreePorts;
import io.eyrie.testing.presto.PrestoServerMain;
import io.eyrie.testing.s3.S3Server;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/**
 * Runs a Hive Metastore in its own process: thrift on loopback, a database in a temporary directory, S3A for locations on an S3 server. It runs from
 * {@link #start} to {@link #close}, which ends the process and deletes the directory. Its log remains.
 */
public final class HiveMetastoreServer
        implements AutoCloseable
{
    /** Properties that make the metastore write a notification log, in the same transactions as its changes, which any client may read. */
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
    private static final int THRIFT_CALL = 0x80010001; // strict binary protocol

    private final Path directory;
    private final Path log;
    private final List<String> command;
    private final Map<String, String> properties;
    private final MetastoreDatabase.RunningDatabase database;
    private LocalDaemon server;

    private HiveMetastoreServer(Path directory, Path log, List<String> command, Map<String, String> properties,
            MetastoreDatabase.RunningDatabase database,
            LocalDaemon server)
    {
        this.directory = requireNonNull(directory, "directory is null");
        this.log = requireNonNull(log, "log is null");
        this.command = List.copyOf(command);
        this.properties = Map.copyOf(properties);
        this.database = requireNonNull(database, "database is null");
        this.server = requireNonNull(server, "server is null");
    }

    /**
     * Starts a metastore and returns when it answers.
     *
     * @param lib its jars (target/lib of testing/hive-metastore)
     * @param log the file for its output
     * @param s3 the server of {@code s3a:} locations
     */
    public static HiveMetastoreServer start(Path lib, Path log, S3Server s3)
    {
        return start(lib, log, s3(s3));
    }

    /**
     * Starts a metastore and returns when it answers.
     *
     * @param lib its jars (target/lib of testing/hive-metastore)
     * @param log the file for its output
     * @param more properties that add to or override its own
     */
    public static HiveMetastoreServer start(Path lib, Path log, Map<String, String> more)
    {
        return start(lib, log, MetastoreDatabase.DERBY, more);
    }

    /**
     * Starts a metastore and its database and returns when the metastore answers.
     *
     * @param lib its jars (target/lib of testing/hive-metastore, next to target/databases)
     * @param log the file for its output
     * @param more properties that add to or override its own
     */
    public static HiveMetastoreServer start(Path lib, Path log, MetastoreDatabase kind, Map<String, String> more)
    {
        if (!Files.isDirectory(lib)) {
            throw new IllegalArgumentException("The metastore's jars are missing: " + lib + " (build testing/hive-metastore)");
        }
        try {
            Path directory = Files.createTempDirectory("eyrie-metastore-").toRealPath();
            try {
                return start(lib, log, kind, more, directory);
            }
            catch (RuntimeException | IOException e) {
                Directories.delete(directory);
                throw e;
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HiveMetastoreServer start(Path lib, Path log, MetastoreDatabase kind, Map<String, String> more, Path directory)
            throws IOException
    {
        int port = FreePorts.next();
        MetastoreDatabase.RunningDatabase database = kind.start(
                lib.toAbsolutePath().resolveSibling("databases"),
                directory,
                log.resolveSibling(log.getFileName() + "-database"));
        try {
            Map<String, String> properties = properties(directory, port);
            properties.putAll(database.properties());
            properties.putAll(more);
            Map<String, String> first = new TreeMap<>(properties);
            first.putAll(database.first());
            writeSite(directory, first);
            List<String> command = command(lib, directory);
            HiveMetastoreServer server = new HiveMetastoreServer(directory, log, command, properties, database, LocalDaemon.start(command, directory,
                    log, port));
            try {
                server.makeTablesOfTheLog();
                if (!first.equals(properties)) {
                    server.restart(Map.of());
                }
                return server;
            }
            catch (RuntimeException | IOException e) {
                server.stop();
                throw e;
            }
        }
        catch (RuntimeException | IOException e) {
            database.close();
            throw e;
        }
    }

    /**
     * Kills the server and starts it again with the same address and database.
     *
     * @param more properties that add to or override those of the first start
     */
    public void restart(Map<String, String> more)
            throws IOException
    {
        int port = server.port();
        server.close();
        Map<String, String> all = new TreeMap<>(properties);
        all.putAll(more);
        writeSite(directory, all);
        server = LocalDaemon.start(command, directory, log, port);
    }

    /** Stops the server; {@link #restart} starts it again. */
    public void stop()
    {
        server.close();
    }

    /** Returns the value for {@code hive.metastore.uri}. */
    public URI uri()
    {
        return URI.create("thrift://127.0.0.1:" + server.port());
    }

    /** Returns the directory of databases and tables that name no location. */
    public URI warehouse()
    {
        return directory.resolve("warehouse").toUri();
    }

    /** Returns the id of the process. */
    public long pid()
    {
        return server.pid();
    }

    @Override
    public void close()
    {
        server.close();
        database.close();
        Directories.delete(directory);
    }

    /* The metastore creates a table in its database when it first reads it. A change before the log's tables exist is lost without an error. */
    private void makeTablesOfTheLog()
            throws IOException
    {
        byte[] method = "get_current_notificationEventId".getBytes(StandardCharsets.US_ASCII);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            DataOutputStream call = new DataOutputStream(socket.getOutputStream());
            call.writeInt(THRIFT_CALL);
            call.writeInt(method.length);
            call.write(method);
            call.writeInt(0); // sequence id of the call
            call.writeByte(0); // no arguments
            call.flush();
            if (socket.getInputStream().read() < 0) {
                throw new IOException("The metastore does not answer. Log: " + log);
            }
        }
    }

    private static List<String> command(Path lib, Path directory)
    {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dderby.stream.error.file=" + directory.resolve("derby.log"),
                // seconds until a search for deadlocks; the default is 20, during which all calls wait
                "-Dderby.locks.deadlockTimeout=1",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                directory + ":" + lib.toAbsolutePath() + "/*:" + ownClasses(),
                PrestoServerMain.class.getName(),
                MAIN_CLASS);
    }

    private static Map<String, String> properties(Path directory, int port)
    {
        Map<String, String> properties = new TreeMap<>();
        properties.put("metastore.thrift.port", Integer.toString(port));
        properties.put("metastore.warehouse.dir", directory.resolve("warehouse").toUri().toString());
        properties.put("datanucleus.schema.autoCreateAll", "true");
        properties.put("metastore.schema.verification", "false");
        // the defaults name classes of Hive's server
        properties.put("metastore.task.threads.always", "org.apache.hadoop.hive.metastore.events.EventCleanerTask");
        properties.put("metastore.expression.proxy", "org.apache.hadoop.hive.metastore.DefaultPartitionExpressionProxy");
        // without Hive's server, the metastore cannot get a schema from the CSV serde; all columns of CSV are strings anyway
        properties.put("metastore.serdes.using.metastore.for.schema", String.join(",", SERDES_WITH_SCHEMA_IN_METASTORE));
        return properties;
    }

    /** Returns properties with which a metastore finds {@code s3a:} locations on a server. */
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
                .map(entry -> "<property><name>" + entry.getKey() + "</name><value>" + entry.getValue().replace("&", "&amp;")
                        + "</value></property>\n")
                .collect(Collectors.joining("", "<configuration>\n", "</configuration>\n"));
        Files.writeString(directory.resolve("metastore-site.xml"), body);
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
