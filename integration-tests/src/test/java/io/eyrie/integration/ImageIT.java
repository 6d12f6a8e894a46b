// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Builds the image of deploy/docker on a base with this build's engine, because no registry may be reachable, and runs it with the files of the
 * compose file, on one node with a metastore of files. The container shares the machine's network with the test's S3 server.
 */
class ImageIT
{
    private static final String BASE = "eyrie/presto-base:test";
    private static final String IMAGE = "eyrie/presto:test";
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(3);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Path root = Checkout.find().root();

    @Test
    void imageRunsPrestoWithEyrie(@TempDir Path etc)
            throws Exception
    {
        run(root.resolve("testing/docker/presto-base").toString(), BASE);
        run(root.resolve("deploy/docker/build").toString(), "--base", BASE, "--tag", IMAGE);
        try (S3Server s3 = EmbeddedS3Server.inMemory()) {
            s3.client().createBucket("lake");
            int port = freePort();
            int metricsPort = freePort();
            configure(etc, s3, port, metricsPort);
            String container = run("docker", "run", "--detach", "--network", "host", "--label",
                    "io.eyrie.testing.pid=" + ProcessHandle.current().pid(), "--volume", etc
                            + "/config.properties:/opt/presto-server/etc/config.properties",
                    "--volume", etc + "/jvm.config:/opt/presto-server/etc/jvm.config", "--volume", etc + "/catalog:/opt/presto-server/etc/catalog",
                    IMAGE)
                    .trim();
            try {
                secondQueryIsServedFromTheCache(new PrestoClient(URI.create("http://127.0.0.1:" + port), "hive", "web"), container);
                assertThat(run("docker", "exec", container, "eyrie", "inspect", "/var/cache/eyrie")).contains("orders");
                assertThat(run("docker", "exec", container, "eyrie", "doctor", "/opt/presto-server/etc/catalog/hive.properties")).doesNotContain(
                        "ERROR");
                HttpRequest scrape = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metricsPort + "/metrics")).build();
                assertThat(HttpClient.newHttpClient().send(scrape, HttpResponse.BodyHandlers.ofString()).body())
                        .contains("eyrie_hits_total{catalog=\"hive\",layer=\"data\"");
            }
            finally {
                run("docker", "rm", "--force", "--volumes", container);
            }
        }
    }

    private static int freePort()
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /* The files of the compose file, with the addresses of this test. */
    private void configure(Path etc, S3Server s3, int port, int metricsPort)
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
        assertThat(hive).contains("hive.metastore.uri=thrift://metastore:9083", "http://minio:9000", "eyrie-access", "eyrie-secret-key");
        Files.writeString(catalog.resolve("hive.properties"), hive
                .replace("hive.metastore.uri=thrift://metastore:9083",
                        "hive.metastore=file\nhive.metastore.catalog.dir=file:/var/lib/presto/metastore")
                .replace("http://minio:9000", s3.endpoint().toString())
                .replace("eyrie-access", s3.accessKey())
                .replace("eyrie-secret-key", s3.secretKey()));
        s3.client().put("lake", "orders/_location", new byte[0]);
    }

    private static void secondQueryIsServedFromTheCache(PrestoClient client, String container)
            throws IOException,
            InterruptedException
    {
        awaitNode(client, container);
        client.execute("CREATE SCHEMA web");
        client.execute("CREATE TABLE orders (o_orderkey bigint, o_comment varchar) WITH (format = 'ORC', external_location = 's3a://lake/orders/')");
        client.execute("INSERT INTO orders SELECT o_orderkey, o_comment FROM tpch.tiny.orders");
        PrestoClient plain = client.withSession("hive.fragment_result_cache_enabled", "false");
        for (int i = 0; i < 2; i++) {
            assertThat(plain.execute("SELECT count(*), max(o_comment) FROM orders WHERE o_orderkey > 0").rows()).hasSize(1);
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
