// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import com.amazonaws.auth.AWSStaticCredentialsProvider;
import com.amazonaws.auth.BasicAWSCredentials;
import com.amazonaws.client.builder.AwsClientBuilder.EndpointConfiguration;
import com.amazonaws.services.s3.AmazonS3;
import com.amazonaws.services.s3.AmazonS3ClientBuilder;
import com.amazonaws.services.s3.model.AmazonS3Exception;
import com.amazonaws.services.s3.model.CompleteMultipartUploadRequest;
import com.amazonaws.services.s3.model.DeleteObjectsRequest;
import com.amazonaws.services.s3.model.GetObjectRequest;
import com.amazonaws.services.s3.model.InitiateMultipartUploadRequest;
import com.amazonaws.services.s3.model.ListObjectsV2Request;
import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.ObjectMetadata;
import com.amazonaws.services.s3.model.PartETag;
import com.amazonaws.services.s3.model.UploadPartRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The behavior that the connectors require of an S3 server, tested through both of Amazon's SDKs. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class S3ServerContract
{
    private static final String BUCKET = "contract";
    private static final int PART_BYTES = 5 << 20;

    private S3Server server;
    private AmazonS3 v1;
    private software.amazon.awssdk.services.s3.S3Client v2;

    abstract S3Server open();

    @BeforeAll
    void start()
    {
        server = open();
        server.client().createBucket(BUCKET);
        v1 = v1(server.secretKey());
        v2 = software.amazon.awssdk.services.s3.S3Client.builder()
                .endpointOverride(server.endpoint())
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(server.accessKey(), server.secretKey())))
                .build();
    }

    private AmazonS3 v1(String secretKey)
    {
        return AmazonS3ClientBuilder.standard()
                .withEndpointConfiguration(new EndpointConfiguration(server.endpoint().toString(), "us-east-1"))
                .withPathStyleAccessEnabled(true)
                .withCredentials(new AWSStaticCredentialsProvider(new BasicAWSCredentials(server.accessKey(), secretKey)))
                .build();
    }

    @AfterAll
    void stop()
    {
        v1.shutdown();
        v2.close();
        server.close();
    }

    private static byte[] bytes(int length, long seed)
    {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void overwriteOfTheSameLengthChangesTheETag()
    {
        String first = server.client().put(BUCKET, "overwritten", bytes(100, 1));
        String second = server.client().put(BUCKET, "overwritten", bytes(100, 2));

        assertThat(second).isNotEqualTo(first);
        assertThat("\"" + v1.getObjectMetadata(BUCKET, "overwritten").getETag() + "\"").isEqualTo(second);
        assertThat(v2.headObject(head -> head.bucket(BUCKET).key("overwritten")).eTag()).isEqualTo(second);
        assertThat(server.client().list(BUCKET, "overwritten")).containsExactly(new S3Object("overwritten", 100, second));
        assertThat(server.client().get(BUCKET, "overwritten")).isEqualTo(bytes(100, 2));
    }

    @Test
    void readWithTheETagOfAnOverwrittenObjectFails()
    {
        String first = server.client().put(BUCKET, "versions", bytes(100, 1));
        assertThat(v1.getObject(new GetObjectRequest(BUCKET, "versions").withMatchingETagConstraint(first))).isNotNull();

        server.client().put(BUCKET, "versions", bytes(100, 2));
        assertThat(v1.getObject(new GetObjectRequest(BUCKET, "versions").withMatchingETagConstraint(first)))
                .as("the old SDK's answer to status 412")
                .isNull();
        assertThatThrownBy(() -> v2.getObjectAsBytes(get -> get.bucket(BUCKET).key("versions").ifMatch(first).range("bytes=0-9")))
                .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
    }

    @Test
    void readsOfRanges()
            throws IOException
    {
        byte[] content = bytes(1000, 3);
        v1.putObject(BUCKET, "ranges", new ByteArrayInputStream(content), length(content.length));

        try (var object = v1.getObject(new GetObjectRequest(BUCKET, "ranges").withRange(10, 19))) {
            assertThat(object.getObjectContent().readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 10, 20));
            assertThat(object.getObjectMetadata().getInstanceLength()).isEqualTo(1000);
        }
        var tail = v2.getObjectAsBytes(get -> get.bucket(BUCKET).key("ranges").range("bytes=-5"));
        assertThat(tail.asByteArray()).isEqualTo(Arrays.copyOfRange(content, 995, 1000));
        assertThat(tail.response().contentRange()).isEqualTo("bytes 995-999/1000");
    }

    @Test
    void listingByPrefixInPages()
    {
        for (String key : List.of("list/a=1/x", "list/a=1/y z", "list/a=2/x", "list/b", "list-other")) {
            v2.putObject(put -> put.bucket(BUCKET).key(key), RequestBody.fromString(key));
        }

        assertThat(server.client().list(BUCKET, "list/").stream().map(S3Object::key))
                .containsExactly("list/a=1/x", "list/a=1/y z", "list/a=2/x", "list/b");
        ListObjectsV2Result first = v1.listObjectsV2(new ListObjectsV2Request().withBucketName(BUCKET).withPrefix("list/").withMaxKeys(3));
        assertThat(first.isTruncated()).isTrue();
        assertThat(first.getObjectSummaries()).hasSize(3);
        ListObjectsV2Result rest = v1.listObjectsV2(new ListObjectsV2Request().withBucketName(BUCKET).withPrefix("list/").withContinuationToken(first
                .getNextContinuationToken()));
        assertThat(rest.getObjectSummaries()).extracting("key").containsExactly("list/b");
        ListObjectsV2Response directories = v2.listObjectsV2(list -> list.bucket(BUCKET).prefix("list/").delimiter("/"));
        assertThat(directories.commonPrefixes()).extracting("prefix").containsExactly("list/a=1/", "list/a=2/");
        assertThat(directories.contents()).extracting("key").containsExactly("list/b");
    }

    @Test
    void uploadInPartsByTheOldSdk()
            throws IOException
    {
        byte[] content = bytes(PART_BYTES + 1000, 4);
        String upload = v1.initiateMultipartUpload(new InitiateMultipartUploadRequest(BUCKET, "parts-v1")).getUploadId();
        List<PartETag> parts = List.of(part(upload, 1, content, 0, PART_BYTES), part(upload, 2, content, PART_BYTES, 1000));
        String eTag = v1.completeMultipartUpload(new CompleteMultipartUploadRequest(BUCKET, "parts-v1", upload, parts)).getETag();

        assertThat(server.client().get(BUCKET, "parts-v1")).isEqualTo(content);
        assertThat(v1.getObjectMetadata(BUCKET, "parts-v1").getETag()).isEqualTo(eTag);
    }

    private PartETag part(String upload, int number, byte[] content, int offset, int length)
    {
        return v1.uploadPart(new UploadPartRequest()
                .withBucketName(BUCKET)
                .withKey("parts-v1")
                .withUploadId(upload)
                .withPartNumber(number)
                .withPartSize(length)
                .withInputStream(new ByteArrayInputStream(content, offset, length))).getPartETag();
    }

    @Test
    void uploadInPartsByTheNewSdk()
    {
        byte[] content = bytes(PART_BYTES, 5);
        String upload = v2.createMultipartUpload(create -> create.bucket(BUCKET).key("parts-v2")).uploadId();
        String eTag = v2.uploadPart(part -> part.bucket(BUCKET).key("parts-v2").uploadId(upload).partNumber(1), RequestBody.fromBytes(content))
                .eTag();
        v2.completeMultipartUpload(complete -> complete.bucket(BUCKET).key("parts-v2").uploadId(upload)
                .multipartUpload(parts -> parts.parts(CompletedPart.builder().partNumber(1).eTag(eTag).build())));

        assertThat(server.client().get(BUCKET, "parts-v2")).isEqualTo(content);
    }

    @Test
    void copyAndDelete()
    {
        byte[] content = "copied".getBytes(StandardCharsets.UTF_8);
        server.client().put(BUCKET, "copy/source", content);
        v1.copyObject(BUCKET, "copy/source", BUCKET, "copy/v1");
        v2.copyObject(copy -> copy.sourceBucket(BUCKET).sourceKey("copy/source").destinationBucket(BUCKET).destinationKey("copy/v2"));
        assertThat(server.client().get(BUCKET, "copy/v1")).isEqualTo(content);
        assertThat(server.client().get(BUCKET, "copy/v2")).isEqualTo(content);

        server.client().delete(BUCKET, "copy/source");
        v1.deleteObjects(new DeleteObjectsRequest(BUCKET).withKeys("copy/v1", "copy/v2"));
        assertThat(server.client().list(BUCKET, "copy/")).isEmpty();
    }

    @Test
    void missingObject()
    {
        assertThatThrownBy(() -> v1.getObjectMetadata(BUCKET, "nowhere"))
                .isInstanceOfSatisfying(AmazonS3Exception.class, e -> assertThat(e.getStatusCode()).isEqualTo(404));
        assertThat(v1.doesObjectExist(BUCKET, "nowhere")).isFalse();
    }

    @Test
    void wrongSecretKey()
    {
        AmazonS3 stranger = v1("not-the-secret-key");
        assertThatThrownBy(() -> stranger.listObjectsV2(BUCKET))
                .isInstanceOfSatisfying(AmazonS3Exception.class, e -> assertThat(e.getStatusCode()).isEqualTo(403));
        stranger.shutdown();
    }

    private static ObjectMetadata length(long length)
    {
        ObjectMetadata metadata = new ObjectMetadata();
        metadata.setContentLength(length);
        return metadata;
    }
}
