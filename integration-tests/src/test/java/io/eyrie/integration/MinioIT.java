package io.eyrie.integration;

import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.s3.MinioServer;

/** The promises about versions on MinIO, which refuses with 412 what s3proxy may only answer with another tag. */
class MinioIT
        extends VersionPromises
{
    @Override
    Lake startLake()
    {
        return Lake.builder(Checkout.find())
                .name("minio")
                .workers(0)
                .server(MinioServer::start)
                .start();
    }
}
