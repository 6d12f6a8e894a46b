// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.lake.Lake;

/** Tests the guarantees about file versions on MinIO, which rejects with 412 reads that s3proxy may answer with another ETag. */
class MinioIT
        extends VersionPromises
{
    @Override
    Lake startLake()
    {
        return SharedLakes.onMinio();
    }
}
