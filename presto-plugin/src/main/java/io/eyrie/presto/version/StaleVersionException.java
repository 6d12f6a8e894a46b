// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.version;

import com.amazonaws.services.s3.model.AmazonS3Exception;

/** Thrown if a conditional GET finds another version of the object. Its status is 400, which Presto's S3 file system does not retry. */
public final class StaleVersionException
        extends AmazonS3Exception
{
    private static final long serialVersionUID = 1;

    StaleVersionException(String key, String expectedEtag, String foundEtag)
    {
        super("Object " + key + " changed: expected ETag " + expectedEtag + ", found " + foundEtag);
        setStatusCode(400);
        setErrorCode("PreconditionFailed");
        setServiceName("Amazon S3");
    }
}
