// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

/** A random key for one segment generation or one file, and its wrapped form, which may be stored on disk. */
final class DataKey
{
    private final byte[] key;
    private final byte[] wrapped;

    DataKey(byte[] key, byte[] wrapped)
    {
        this.key = key;
        this.wrapped = wrapped;
    }

    byte[] derive(String purpose, byte[] salt)
    {
        return AesGcm.derive(key, purpose, salt);
    }

    byte[] wrapped()
    {
        return wrapped.clone();
    }
}
