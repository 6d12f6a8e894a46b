package io.eyrie.testing.metastore;

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

/** Where a metastore keeps what it knows: Derby inside its own process, or a server of the registry's binaries, started with it. */
public enum MetastoreDatabase
{
    DERBY {
        @Override
        Running start(Path binaries, Path directory, Path log)
        {
            return new Running(
                    Optional.empty(),
                    connection("jdbc:derby:;databaseName=" + directory.resolve("derby") + ";create=true", "org.apache.derby.jdbc.EmbeddedDriver",
                            "APP"));
        }
    },

    POSTGRESQL {
        @Override
        Running start(Path binaries, Path directory, Path log)
                throws IOException
        {
            Path bin = postgres(binaries.resolve("postgresql"), log).resolve("bin");
            Path data = directory.resolve("postgresql");
            run(log, asNobody(bin.resolve("initdb").toString(), "-A", "trust", "-U", "postgres", "-E", "UTF-8", "--no-sync", "-D", data.toString()));
            int port = LocalDaemon.freePort();
            LocalDaemon server = LocalDaemon.startBound(
                    asNobody(bin.resolve("postgres").toString(), "-D", data.toString(), "-p", Integer.toString(port), "-c",
                            "listen_addresses=127.0.0.1",
                            "-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off"),
                    directory,
                    log,
                    port);
            return new Running(Optional.of(server), connection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "org.postgresql.Driver",
                    "postgres"));
        }
    };

    /**
     * Starts it with an empty database.
     *
     * @param binaries testing/hive-metastore's target/databases
     * @param directory for its files, which go with it
     */
    abstract Running start(Path binaries, Path directory, Path log)
            throws IOException;

    /** A running database, and what a metastore has to know of it. */
    record Running(Optional<LocalDaemon> server, Map<String, String> properties)
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

    /* Unpacked once, by whoever comes first. */
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
                return mine; // another one was faster, and may be using its own
            }
        }
        return unpacked;
    }

    /* It refuses to run as root. */
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
}
