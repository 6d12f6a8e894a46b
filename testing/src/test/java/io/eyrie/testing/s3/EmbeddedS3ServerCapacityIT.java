// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.link.RecordedRequest;
import io.eyrie.testing.link.ShapedLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

final class EmbeddedS3ServerCapacityIT
{
    private static final long GIGABYTE = 1L << 30;

    @Test
    void objectLargerThanTheHeap(@TempDir Path directory)
            throws IOException
    {
        long length = Runtime.getRuntime().maxMemory() + GIGABYTE / 4;
        Path file = directory.resolve("large");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(length);
        }
        try (EmbeddedS3Server server = EmbeddedS3Server.inTemporaryDirectory();
                ShapedLink link = ShapedLink.open(server.endpoint(), LinkShape.UNSHAPED)) {
            S3Client client = new S3Client(link.endpoint(), server.accessKey(), server.secretKey());
            client.createBucket("large");
            link.startRecording();
            client.put("large", "object", file);
            assertThat(client.list("large", "")).singleElement().extracting(S3Object::size).isEqualTo(length);
            assertThat(link.stopRecording()).extracting(RecordedRequest::status).containsExactly(200, 200);
        }
    }
}
