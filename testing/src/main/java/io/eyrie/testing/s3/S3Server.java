// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import java.net.URI;

/**
 * A running S3 server on this machine, with path-style access and one pair of keys that has all permissions. The code that opens a server closes it.
 * Its objects are then lost, unless the implementation documents otherwise.
 */
public interface S3Server
        extends AutoCloseable
{
    /** Returns {@code http://host:port}, without a path. */
    URI endpoint();

    /** Returns the access key. */
    String accessKey();

    /** Returns the secret key. */
    String secretKey();

    /** Returns a client of the server itself, not of a link in front of it. */
    default S3Client client()
    {
        return new S3Client(endpoint(), accessKey(), secretKey());
    }

    @Override
    void close();
}
