// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.file.FileVersion;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The identity of one page: a 128-bit hash of its {@link FileVersion} and its number in the file.
 *
 * @param hashHigh the first 64 bits of the hash, big-endian
 * @param hashLow the next 64 bits
 * @param pageNumber the page's first byte is at {@code pageNumber * page size} of the file
 */
public record PageKey(long hashHigh, long hashLow, long pageNumber)
{
    public PageKey
    {
        if (pageNumber < 0) {
            throw new IllegalArgumentException("pageNumber is negative: " + pageNumber);
        }
    }

    /** Hashes the version: the first half of the SHA-256 of all its fields, each prefixed with its length. */
    public static PageKey of(FileVersion version, long pageNumber)
    {
        MessageDigest digest = sha256();
        update(digest, version.store().endpoint());
        update(digest, version.store().principal());
        update(digest, version.path());
        update(digest, version.lengthBytes());
        update(digest, version.modifiedMillis());
        update(digest, version.etag().isPresent() ? 1 : 0);
        update(digest, version.etag().orElse(""));
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new PageKey(hash.getLong(), hash.getLong(), pageNumber);
    }

    /** The key of another page of the same file version. */
    public PageKey page(long otherPageNumber)
    {
        return new PageKey(hashHigh, hashLow, otherPageNumber);
    }

    @Override
    public int hashCode()
    {
        return (int) hashLow + (int) pageNumber * 0x9E3779B1;
    }

    private static void update(MessageDigest digest, String value)
    {
        // UTF-16 rather than UTF-8, which maps all unpaired surrogates to one character
        ByteBuffer encoded = ByteBuffer.allocate(Math.multiplyExact(value.length(), Character.BYTES));
        encoded.asCharBuffer().put(value);
        update(digest, value.length());
        digest.update(encoded);
    }

    private static void update(MessageDigest digest, long value)
    {
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, value));
    }

    private static MessageDigest sha256()
    {
        try {
            return MessageDigest.getInstance("SHA-256");
        }
        catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
