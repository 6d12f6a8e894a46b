package io.eyrie.testing.s3;

import java.net.URI;

/**
 * A running S3 server on this machine, with path-style access and one pair of keys that may do all. Who opened it
 * closes it; what it holds is gone then, unless the server says otherwise.
 */
public interface S3Server
        extends AutoCloseable
{
    /** {@code http://host:port}, without a path. */
    URI endpoint();

    /** The access key. */
    String accessKey();

    /** The secret key. */
    String secretKey();

    /** A client of the server itself, not of a link in front of it. */
    default S3Client client()
    {
        return new S3Client(endpoint(), accessKey(), secretKey());
    }

    @Override
    void close();
}
