// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.store.PageKey;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The identity of a blob: a 128-bit hash of everything that its content depends on. */
public record BlobKey(long hashHigh, long hashLow)
{
    /** The first half of the SHA-256 of an encoded identity, whose position does not change. */
    public static BlobKey of(ByteBuffer identity)
    {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(identity.duplicate());
            ByteBuffer hash = ByteBuffer.wrap(digest.digest());
            return new BlobKey(hash.getLong(), hash.getLong());
        }
        catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** The key of a page of the blob. */
    PageKey page(long number)
    {
        return new PageKey(hashHigh, hashLow, number);
    }
}
