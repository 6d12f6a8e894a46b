// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.writer;

import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.metastore.MetastoreDatabase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * A Hive Metastore on MariaDB whose tables Hive's own tool created, as in an installation. A metastore that creates them itself waits without end when Presto creates
 * its first table, because one of its own transactions has locked the table to which the new one refers.
 */
record MariaDbMetastore(MetastoreDatabase.RunningDatabase database, HiveMetastoreServer server)
        implements AutoCloseable
{
    private static final String URL = "javax.jdo.option.ConnectionURL";

    /**
     * Starts both.
     *
     * @param directory of the database's files
     * @param site the metastore's properties
     */
    static MariaDbMetastore start(Checkout checkout, Path directory, Map<String, String> site)
    {
        try {
            Path lib = checkout.metastoreLib().toAbsolutePath();
            MetastoreDatabase.RunningDatabase database = MetastoreDatabase.MARIADB.start(lib.resolveSibling("databases"), directory,
                    Path.of("target", "writer-mariadb-database.log"));
            try {
                Map<String, String> connection = new TreeMap<>(database.properties());
                connection.compute(URL, (key, url) -> requireNonNull(url).replace("/metastore?", "/hive?createDatabaseIfNotExist=true&"));
                createTables(lib, directory, connection);
                connection.putAll(site);
                connection.put("datanucleus.schema.autoCreateAll", "false");
                return new MariaDbMetastore(database, HiveMetastoreServer.start(lib, Path.of("target", "writer-mariadb.log"), connection));
            }
            catch (RuntimeException | IOException e) {
                database.close();
                throw e;
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void createTables(Path lib, Path directory, Map<String, String> connection)
            throws IOException
    {
        Path log = Path.of("target", "writer-mariadb-schema.log");
        Files.writeString(directory.resolve("metastore-site.xml"), connection.entrySet().stream().map(entry -> "<property><name>" + entry.getKey()
                + "</name><value>" + entry.getValue().replace("&", "&amp;") + "</value></property>\n").collect(Collectors.joining("",
                        "<configuration>\n", "</configuration>\n")));
        ProcessBuilder tool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                directory + ":" + lib + "/*",
                "org.apache.hadoop.hive.metastore.tools.MetastoreSchemaTool",
                "-dbType",
                "mysql",
                "-initSchema").redirectErrorStream(true).redirectOutput(log.toFile());
        try (Stream<Path> homes = Files.list(lib.resolveSibling("schema"))) {
            tool.environment().put("METASTORE_HOME", homes.findFirst().orElseThrow().toString());
            if (tool.start().waitFor() != 0) {
                throw new IllegalStateException("The tables of the metastore cannot be created. Log: " + log);
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }

    @Override
    public void close()
    {
        server.close();
        database.close();
    }
}
