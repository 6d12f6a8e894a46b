// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import io.eyrie.shaded.software.amazon.awssdk.core.exception.SdkException;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs MinIO in a container. {@code testing/docker/prepare} provides the image and the Docker engine. The container is removed by {@link #close}, at
 * the JVM's end, or by the next run of that script.
 */
public final class MinioServer
        implements S3Server
{
    private static final String ACCESS_KEY = "eyrie-access";
    private static final String SECRET_KEY = "eyrie-secret-key";
    private static final int PORT = 9000;
    private static final String PROBE = "probe";
    private static final long ANSWER_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final GenericContainer<?> container;

    private MinioServer(GenericContainer<?> container)
    {
        this.container = container;
    }

    /** Starts a server and returns when it answers. */
    public static MinioServer start()
    {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image()));
        container.withCommand("server", "/data");
        container.withEnv(Map.of("MINIO_ROOT_USER", ACCESS_KEY, "MINIO_ROOT_PASSWORD", SECRET_KEY, "MINIO_UPDATE", "off"));
        container.withExposedPorts(PORT);
        container.withLabel("io.eyrie.testing.pid", Long.toString(ProcessHandle.current().pid()));
        container.waitingFor(Wait.forHttp("/minio/health/ready").forPort(PORT));
        container.start();
        MinioServer server = new MinioServer(container);
        try {
            server.awaitAnswer();
            return server;
        }
        catch (RuntimeException e) {
            container.stop();
            throw e;
        }
    }

    /* MinIO reports ready too early: it may answer the first requests with 503, "Server not initialized yet". */
    private void awaitAnswer()
    {
        long deadline = System.nanoTime() + ANSWER_NANOS;
        while (true) {
            try {
                client().createBucket(PROBE);
                return;
            }
            catch (SdkException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** Creates a user, who may do what the policy allows, in the words of AWS. */
    public void addUser(String accessKey, String secretKey, String policy)
    {
        new MinioAdmin(client(), SECRET_KEY).addUser(accessKey, secretKey);
        setPolicy(accessKey, policy);
    }

    /** Changes what a user may do. */
    public void setPolicy(String accessKey, String policy)
    {
        new MinioAdmin(client(), SECRET_KEY).setPolicy(accessKey, policy);
    }

    private static String image()
    {
        Path properties = cacheDirectory().resolve("containers.properties");
        if (!Files.exists(properties)) {
            throw new IllegalStateException(properties + " is missing: run testing/docker/prepare, or bin/test, which does");
        }
        Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(properties, StandardCharsets.UTF_8)) {
            values.load(reader);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return values.getProperty("minio.image");
    }

    /** Returns the same directory that {@code testing/docker/prepare} chooses. */
    private static Path cacheDirectory()
    {
        @Nullable
        String own = System.getenv("EYRIE_CACHE");
        if (own != null) {
            return Path.of(own);
        }
        @Nullable
        String caches = System.getenv("XDG_CACHE_HOME");
        Path parent = caches == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(caches);
        return parent.resolve("eyrie");
    }

    @Override
    public URI endpoint()
    {
        return URI.create("http://" + container.getHost() + ":" + container.getMappedPort(PORT));
    }

    @Override
    public String accessKey()
    {
        return ACCESS_KEY;
    }

    @Override
    public String secretKey()
    {
        return SECRET_KEY;
    }

    @Override
    public void close()
    {
        container.stop();
    }
}
