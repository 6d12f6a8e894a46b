// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import com.amazonaws.ClientConfiguration;
import com.amazonaws.auth.AWSStaticCredentialsProvider;
import com.amazonaws.auth.BasicAWSCredentials;
import com.amazonaws.client.builder.AwsClientBuilder.EndpointConfiguration;
import com.amazonaws.services.s3.AmazonS3;
import com.amazonaws.services.s3.AmazonS3ClientBuilder;
import com.amazonaws.services.s3.model.GetObjectRequest;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Client;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static io.eyrie.testing.link.RequestKind.DELETE;
import static io.eyrie.testing.link.RequestKind.GET_DATA;
import static io.eyrie.testing.link.RequestKind.HEAD;
import static io.eyrie.testing.link.RequestKind.LIST;
import static io.eyrie.testing.link.RequestKind.PUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@TestInstance(Lifecycle.PER_CLASS)
final class ShapedLinkTest
{
    private static final String BUCKET = "link";
    private static final int LARGE = 3_000_000;

    private final EmbeddedS3Server server = EmbeddedS3Server.inMemory();
    private final byte[] small = bytes(1000);
    private final byte[] large = bytes(LARGE);
    private ShapedLink link;
    private S3Client client;
    private AmazonS3 sdk;

    @BeforeAll
    void fill()
    {
        server.client().createBucket(BUCKET);
        server.client().put(BUCKET, "small", small);
        server.client().put(BUCKET, "large", large);
    }

    @AfterAll
    void stop()
    {
        server.close();
    }

    @BeforeEach
    void open()
    {
        link = ShapedLink.open(server.endpoint(), LinkShape.UNSHAPED);
        client = new S3Client(link.endpoint(), server.accessKey(), server.secretKey());
        sdk = AmazonS3ClientBuilder.standard()
                .withEndpointConfiguration(new EndpointConfiguration(link.endpoint().toString(), "us-east-1"))
                .withPathStyleAccessEnabled(true)
                .withCredentials(new AWSStaticCredentialsProvider(new BasicAWSCredentials(server.accessKey(), server.secretKey())))
                .withClientConfiguration(new ClientConfiguration().withMaxErrorRetry(0))
                .build();
    }

    @AfterEach
    void close()
    {
        sdk.shutdown();
        link.close();
    }

    private static byte[] bytes(int length)
    {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] read(AmazonS3 s3, GetObjectRequest request)
    {
        try (InputStream content = s3.getObject(request).getObjectContent()) {
            return content.readAllBytes();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyRequestIsCountedByKind()
    {
        assertThat(client.get(BUCKET, "large")).isEqualTo(large);
        assertThat(read(sdk, new GetObjectRequest(BUCKET, "small").withRange(100, 149))).hasSize(50);
        sdk.getObjectMetadata(BUCKET, "small");
        client.list(BUCKET, "");
        sdk.putObject(BUCKET, "written", "text");
        client.delete(BUCKET, "written");

        LinkCounts counts = link.counts();
        assertThat(counts.of(GET_DATA)).isEqualTo(new LinkCounts.Count(2, LARGE + 50));
        assertThat(counts.dataBytes()).isEqualTo(LARGE + 50);
        assertThat(counts.of(HEAD)).isEqualTo(new LinkCounts.Count(1, 0));
        assertThat(counts.of(LIST).requests()).isEqualTo(1);
        assertThat(counts.of(LIST).responseBytes()).isPositive();
        assertThat(counts.of(PUT)).isEqualTo(new LinkCounts.Count(1, 0));
        assertThat(counts.of(DELETE)).isEqualTo(new LinkCounts.Count(1, 0));
        assertThat(counts.requests()).isEqualTo(6);
        assertThat(link.counts().minus(counts).requests()).isZero();
    }

    @Test
    void recordOfWhatPassed()
    {
        client.get(BUCKET, "small");
        link.startRecording();
        read(sdk, new GetObjectRequest(BUCKET, "small").withRange(0, 9));
        sdk.doesObjectExist(BUCKET, "nowhere");
        List<RecordedRequest> requests = link.stopRecording();
        client.get(BUCKET, "small");

        assertThat(requests).extracting(RecordedRequest::toString).containsExactly(
                "GET /link/small bytes=0-9 -> 206, 10",
                "HEAD /link/nowhere -> 404, 0");
        assertThat(link.stopRecording()).isEmpty();
    }

    @Test
    void errorsAreNotCountedAsData()
    {
        assertThatThrownBy(() -> client.get(BUCKET, "nowhere")).hasMessageContaining("404");
        assertThat(link.counts().of(GET_DATA)).isEqualTo(new LinkCounts.Count(1, 0));
    }

    @Test
    void requestIsDelayed()
    {
        link.reshape(new LinkShape(Duration.ofMillis(100), 0));
        long start = System.nanoTime();
        client.get(BUCKET, "small");
        client.get(BUCKET, "small");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void bytesAreLimitedPerConnection()
    {
        link.reshape(new LinkShape(Duration.ZERO, 10_000_000));
        long start = System.nanoTime();
        client.get(BUCKET, "large");
        client.put(BUCKET, "copy", large);
        // two times 300 ms, minus a wait below a millisecond that may still be accumulated
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(590));
        assertThat(server.client().get(BUCKET, "copy")).isEqualTo(large);
    }

    @Test
    void manyConnectionsAtOnce()
            throws Exception
    {
        ExecutorService threads = Executors.newFixedThreadPool(16);
        List<Future<byte[]>> results = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            results.add(threads.submit(() -> read(sdk, new GetObjectRequest(BUCKET, "small"))));
        }
        for (Future<byte[]> result : results) {
            assertThat(result.get()).isEqualTo(small);
        }
        threads.shutdown();
        assertThat(link.counts().of(GET_DATA)).isEqualTo(new LinkCounts.Count(200, 200L * small.length));
    }

    @Test
    void unavailableServer()
    {
        link.injectFaults(request -> request.kind() == GET_DATA ? Optional.of(LinkFault.UNAVAILABLE) : Optional.empty());
        assertThatThrownBy(() -> read(sdk, new GetObjectRequest(BUCKET, "small"))).hasMessageContaining("SlowDown");
        assertThat(sdk.doesObjectExist(BUCKET, "small")).isTrue();

        link.clearFaults();
        assertThat(read(sdk, new GetObjectRequest(BUCKET, "small"))).isEqualTo(small);
    }

    @Test
    void deniedRequest()
    {
        link.injectFaults(request -> request.kind() == LIST ? Optional.of(LinkFault.DENIED) : Optional.empty());
        assertThatThrownBy(() -> sdk.listObjectsV2(BUCKET)).hasMessageContaining("AccessDenied");
        assertThat(link.counts().of(LIST).requests()).isEqualTo(1);
    }

    @Test
    void refusedRequest()
    {
        link.injectFaults(request -> Optional.of(LinkFault.REFUSE));
        assertThatThrownBy(() -> sdk.getObjectMetadata(BUCKET, "small")).hasRootCauseInstanceOf(IOException.class);
        assertThat(link.counts().of(HEAD)).isEqualTo(new LinkCounts.Count(1, 0));
    }

    @Test
    void connectionResetInTheBody()
    {
        link.injectFaults(request -> Optional.of(LinkFault.resetAfter(LARGE / 2)));
        assertThatThrownBy(() -> read(sdk, new GetObjectRequest(BUCKET, "large"))).hasRootCauseInstanceOf(IOException.class);
        assertThat(link.counts().dataBytes()).isEqualTo(LARGE / 2);
    }

    @Test
    void bodyCutShort()
    {
        link.injectFaults(request -> Optional.of(LinkFault.truncateAfter(10)));
        assertThatThrownBy(() -> read(sdk, new GetObjectRequest(BUCKET, "large"))).hasRootCauseInstanceOf(IOException.class);
        assertThat(link.counts().dataBytes()).isEqualTo(10);
    }

    @Test
    void stalledBodyUntilTheFaultsAreCleared()
            throws IOException
    {
        link.injectFaults(request -> Optional.of(LinkFault.stallAfter(100)));
        try (InputStream content = sdk.getObject(new GetObjectRequest(BUCKET, "large")).getObjectContent()) {
            assertThat(content.readNBytes(new byte[100], 0, 100)).isEqualTo(100);
            link.clearFaults();
            assertThatThrownBy(content::readAllBytes).isInstanceOf(IOException.class);
        }
        assertThat(link.counts().dataBytes()).isEqualTo(100);
    }
}
