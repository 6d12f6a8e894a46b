// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import static java.util.Objects.requireNonNull;

/**
 * An object of a listing.
 *
 * @param eTag with its quotes
 */
public record S3Object(String key, long size, String eTag)
{
    public S3Object
    {
        requireNonNull(key, "key is null");
        requireNonNull(eTag, "eTag is null");
    }
}
