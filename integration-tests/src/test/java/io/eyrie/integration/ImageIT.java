// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.metastore.MetastoreDatabase;
import io.eyrie.testing.port.FreePorts;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Builds the images of deploy/docker on a base with this build's engine, because no registry may be reachable, and runs them with the files of the
 * compose file: one node of Presto, and a metastore with an empty database of MariaDB. The containers share the machine's network with the test's S3
 * server.
 */
@Tag("long")
class ImageIT
{
    private static final String BASE = "eyrie/presto-base:test";
    private static final String IMAGE = "eyrie/presto:test";
    private static final String METASTORE = "eyrie/hive-metastore:test";
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Path root = Checkout.find().root();

    @Test
    void imagesRunPrestoWithEyrieAndAMetastore(@TempDir Path etc)
            throws Exception
    {
        run(root.resolve("testing/docker/presto-base").toString(), BASE);
        run(root.resolve("deploy/docker/build").toString(), "--base", BASE, "--tag", IMAGE);
        run(root.resolve("deploy/docker/build").toString(), "metastore", "--base", BASE, "--tag", METASTORE);
        Path log = root.resolve("integration-tests/target/image-database.log");
        try (S3Server s3 = EmbeddedS3Server.inMemory();
                MetastoreDatabase.RunningDatabase database = MetastoreDatabase.MARIADB.start(
                        root.resolve("testing/hive-metastore/target/databases"), Files.createDirectory(etc.resolve("database")), log)) {
            s3.client().createBucket("lake");
            int port = FreePorts.next();
            int metricsPort = FreePorts.next();
            int metastorePort = FreePorts.next();
            configure(etc, s3, port, metricsPort, metastorePort);
            configureMetastore(etc, s3, metastorePort, database);
            List<String> started = new ArrayList<>();
            try {
                started.add(start(METASTORE, etc.resolve("metastore-site.xml") + ":/opt/hive-metastore/conf/metastore-site.xml"));
                String container = start(
                        IMAGE,
                        etc.resolve("config.properties") + ":/opt/presto-server/etc/config.properties",
                        etc.resolve("jvm.config") + ":/opt/presto-server/etc/jvm.config",
                        etc.resolve("catalog") + ":/opt/presto-server/etc/catalog");
                started.add(container);
                secondQueryIsServedFromTheCache(new PrestoClient(URI.create("http://127.0.0.1:" + port), "hive", "web"), container);
                assertThat(run("docker", "exec", container, "eyrie", "inspect", "/var/cache/eyrie")).contains("orders");
                assertThat(run("docker", "exec", container, "eyrie", "doctor", "/opt/presto-server/etc/catalog/hive.properties")).doesNotContain(
                        "ERROR");
                HttpRequest scrape = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metricsPort + "/metrics")).build();
                assertThat(HttpClient.newHttpClient().send(scrape, HttpResponse.BodyHandlers.ofString()).body())
                        .contains("eyrie_hits_total{catalog=\"hive\",layer=\"data\"");
            }
            finally {
                for (String container : started) {
                    run("docker", "rm", "--force", "--volumes", container);
                }
                run("docker", "rmi", IMAGE, METASTORE, BASE);
            }
        }
    }

    private static String start(String image, String... volumes)
            throws IOException,
            InterruptedException
    {
        List<String> command = new ArrayList<>(List.of("docker", "run", "--detach", "--network", "host", "--label",
                "io.eyrie.testing.pid=" + ProcessHandle.current().pid()));
        for (String volume : volumes) {
            command.addAll(List.of("--volume", volume));
        }
        command.add(image);
        return run(command.toArray(String[]::new)).trim();
    }

    /* The files of the compose file, with the addresses of this test. */
    private void configure(Path etc, S3Server s3, int port, int metricsPort, int metastorePort)
            throws IOException
    {
        Path files = root.resolve("deploy/docker/etc");
        Files.writeString(etc.resolve("config.properties"), Files.readString(files.resolve("coordinator.properties"))
                .replace("include-coordinator=false", "include-coordinator=true")
                .replace("coordinator:8080", "127.0.0.1:" + port)
                .replace("port=8080", "port=" + port));
        Files.writeString(etc.resolve("jvm.config"), Files.readString(files.resolve("jvm.config"))
                .replace("=9404:", "=" + metricsPort + ":"));
        Path catalog = Files.createDirectory(etc.resolve("catalog"));
        Files.copy(files.resolve("catalog/tpch.properties"), catalog.resolve("tpch.properties"));
        String hive = Files.readString(files.resolve("catalog/hive.properties"));
        assertThat(hive).contains("//metastore:9083", "http://minio:9000", "eyrie-access", "eyrie-secret-key");
        Files.writeString(catalog.resolve("hive.properties"), hive
                .replace("metastore:9083", "127.0.0.1:" + metastorePort + "\nhive.metastore-timeout=2m")
                .replace("http://minio:9000", s3.endpoint().toString())
                .replace("eyrie-access", s3.accessKey())
                .replace("eyrie-secret-key", s3.secretKey()));
    }

    /* The site of the image with the addresses of this test, and with an empty database: MariaDB's server ignores passwords here. */
    private void configureMetastore(Path etc, S3Server s3, int port, MetastoreDatabase.RunningDatabase database)
            throws IOException
    {
        String site = Files.readString(root.resolve("deploy/docker/metastore/metastore-site.xml"));
        String url = requireNonNull(database.properties().get("javax.jdo.option.ConnectionURL"));
        assertThat(site).contains("mariadb:3306/metastore?", ">9083<", ">http://minio:9000<", ">eyrie-access<", ">eyrie-secret-key<");
        Files.writeString(etc.resolve("metastore-site.xml"), site
                .replace("mariadb:3306/metastore?", URI.create(url.substring("jdbc:".length())).getAuthority()
                        + "/empty?createDatabaseIfNotExist=true&amp;")
                .replace(">9083<", ">" + port + "<")
                .replace(">http://minio:9000<", ">" + s3.endpoint() + "<")
                .replace(">eyrie-access<", ">" + s3.accessKey() + "<")
                .replace(">eyrie-secret-key<", ">" + s3.secretKey() + "<"));
    }

    private static void secondQueryIsServedFromTheCache(PrestoClient client, String container)
            throws IOException,
            InterruptedException
    {
        awaitNode(client, container);
        client.execute("CREATE SCHEMA web");
        client.execute("CREATE TABLE orders (o_orderkey bigint, o_comment varchar, o_orderpriority varchar)"
                + " WITH (format = 'ORC', partitioned_by = ARRAY['o_orderpriority'])");
        client.execute("INSERT INTO orders SELECT o_orderkey, o_comment, o_orderpriority FROM tpch.tiny.orders");
        PrestoClient plain = client.withSession("hive.fragment_result_cache_enabled", "false");
        for (int i = 0; i < 2; i++) {
            assertThat(plain.execute("SELECT count(*), max(o_comment), count(DISTINCT o_orderpriority) FROM orders WHERE o_orderkey > 0").rows())
                    .isEqualTo(client.execute("SELECT count(*), max(o_comment), count(DISTINCT o_orderpriority) FROM tpch.tiny.orders").rows());
        }
        assertThat((Long) client.execute("SELECT sum(hits) FROM cache.layers WHERE layer = 'data'").onlyValue()).isPositive();
    }

    private static void awaitNode(PrestoClient client, String container)
            throws IOException,
            InterruptedException
    {
        long deadline = System.nanoTime() + START_NANOS;
        while (true) {
            try {
                client.execute("SHOW SCHEMAS");
                client.execute("SELECT count(*) FROM tpch.tiny.nation");
                return;
            }
            catch (QueryFailedException e) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError(run("docker", "logs", "--tail", "60", container), e);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static String run(String... command)
            throws IOException,
            InterruptedException
    {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as("%s%n%s", List.of(command), output).isZero();
        return output;
    }
}
