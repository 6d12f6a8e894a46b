// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

final class EmbeddedS3ServerOnDiskTest
        extends S3ServerContract
{
    @Override
    S3Server open()
    {
        return EmbeddedS3Server.inTemporaryDirectory();
    }

    @Test
    void objectsOutliveTheServer(@TempDir Path directory)
    {
        byte[] content = {1, 2, 3};
        String eTag;
        try (EmbeddedS3Server first = EmbeddedS3Server.in(directory)) {
            first.client().createBucket("kept");
            eTag = first.client().put("kept", "dir/object", content);
        }
        try (EmbeddedS3Server second = EmbeddedS3Server.in(directory)) {
            assertThat(second.client().list("kept", "")).containsExactly(new S3Object("dir/object", 3, eTag));
            assertThat(second.client().get("kept", "dir/object")).isEqualTo(content);
        }
    }
}
