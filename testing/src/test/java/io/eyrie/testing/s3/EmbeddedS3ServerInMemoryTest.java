// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

final class EmbeddedS3ServerInMemoryTest
        extends S3ServerContract
{
    @Override
    S3Server open()
    {
        return EmbeddedS3Server.inMemory();
    }
}
