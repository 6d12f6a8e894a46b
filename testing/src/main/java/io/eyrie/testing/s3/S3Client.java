// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import io.eyrie.shaded.software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import io.eyrie.shaded.software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import io.eyrie.shaded.software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import io.eyrie.shaded.software.amazon.awssdk.core.sync.RequestBody;
import io.eyrie.shaded.software.amazon.awssdk.http.AbortableInputStream;
import io.eyrie.shaded.software.amazon.awssdk.http.ContentStreamProvider;
import io.eyrie.shaded.software.amazon.awssdk.http.HttpExecuteRequest;
import io.eyrie.shaded.software.amazon.awssdk.http.HttpExecuteResponse;
import io.eyrie.shaded.software.amazon.awssdk.http.SdkHttpClient;
import io.eyrie.shaded.software.amazon.awssdk.http.SdkHttpFullRequest;
import io.eyrie.shaded.software.amazon.awssdk.http.SdkHttpMethod;
import io.eyrie.shaded.software.amazon.awssdk.http.apache5.Apache5HttpClient;
import io.eyrie.shaded.software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import io.eyrie.shaded.software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import io.eyrie.shaded.software.amazon.awssdk.regions.Region;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * Fills and inspects buckets for tests. Thread-safe. It reads and writes whole objects, with one request each, which the AWS SDK in the jar of s3proxy
 * sends again if it fails.
 */
public final class S3Client
{
    private static final Region REGION = Region.US_EAST_1;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    // one for all clients, which tests create and do not close
    private static final SdkHttpClient HTTP = Apache5HttpClient.builder().connectionTimeout(TIMEOUT).socketTimeout(TIMEOUT).build();

    private final URI endpoint;
    private final AwsBasicCredentials credentials;
    private final io.eyrie.shaded.software.amazon.awssdk.services.s3.S3Client sdk;

    /** Creates a client of the server, or of the link in front of it, at {@code http://host:port}. */
    public S3Client(URI endpoint, String accessKey, String secretKey)
    {
        this.endpoint = requireNonNull(endpoint, "endpoint is null");
        this.credentials = AwsBasicCredentials.create(accessKey, secretKey);
        this.sdk = io.eyrie.shaded.software.amazon.awssdk.services.s3.S3Client.builder()
                .endpointOverride(endpoint)
                .region(REGION)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(credentials))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .httpClient(HTTP)
                .build();
    }

    /** Creates a bucket. */
    public void createBucket(String bucket)
    {
        sdk.createBucket(create -> create.bucket(bucket));
    }

    /** Writes or overwrites an object. Returns its ETag with the quotes. */
    public String put(String bucket, String key, byte[] bytes)
    {
        return put(bucket, key, RequestBody.fromBytes(bytes));
    }

    /** Writes or overwrites an object with a file's bytes. Returns its ETag with the quotes. */
    public String put(String bucket, String key, Path file)
    {
        return put(bucket, key, RequestBody.fromFile(file));
    }

    private String put(String bucket, String key, RequestBody body)
    {
        return sdk.putObject(put -> put.bucket(bucket).key(key), body).eTag();
    }

    /** Returns an object's bytes. */
    public byte[] get(String bucket, String key)
    {
        return sdk.getObjectAsBytes(get -> get.bucket(bucket).key(key)).asByteArrayUnsafe();
    }

    /** Deletes an object, if it exists. */
    public void delete(String bucket, String key)
    {
        sdk.deleteObject(delete -> delete.bucket(bucket).key(key));
    }

    /** Returns the objects whose keys begin with {@code prefix}, in the order of their keys. */
    public List<S3Object> list(String bucket, String prefix)
    {
        return sdk.listObjectsV2Paginator(list -> list.bucket(bucket).prefix(prefix)).contents().stream()
                .map(object -> new S3Object(object.key(), object.size(), object.eTag()))
                .toList();
    }

    /** Sends a PUT of the server's own, which S3 does not have. */
    void send(String path, Map<String, String> parameters, byte[] body)
    {
        SdkHttpFullRequest.Builder request = SdkHttpFullRequest.builder().method(SdkHttpMethod.PUT).uri(endpoint).encodedPath(path);
        parameters.forEach(request::putRawQueryParameter);
        SignedRequest signed = AwsV4HttpSigner.create().sign(sign -> sign.identity(credentials)
                .request(request.putHeader("Content-Length", Integer.toString(body.length)).build())
                .payload(ContentStreamProvider.fromByteArray(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, REGION.id()));
        try {
            HttpExecuteResponse response = HTTP.prepareRequest(HttpExecuteRequest.builder()
                    .request(signed.request())
                    .contentStreamProvider(signed.payload().orElseThrow())
                    .build()).call();
            try (InputStream answer = response.responseBody().orElseGet(AbortableInputStream::createEmpty)) {
                String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
                if (!response.httpResponse().isSuccessful()) {
                    throw new IllegalStateException("PUT " + path + ": status " + response.httpResponse().statusCode() + " " + text);
                }
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException("PUT " + path, e);
        }
    }
}
