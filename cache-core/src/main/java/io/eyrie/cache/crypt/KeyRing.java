// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import io.eyrie.cache.config.PageCacheConfig;

import javax.crypto.SecretKey;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operator's keys: the current key, which wraps new data keys, and previous keys, which can still unwrap older data keys. Thread-safe; exposes no
 * key.
 */
public final class KeyRing
{
    /*
     * Wrapped   | id of the operator's key | salt | data key, encrypted | tag |
     *           With the salt, each data key has its own wrapping key, which is used once. The kind and number of the thing that the data key
     *           encrypts are authenticated.
     */
    /** The length of a wrapped data key, in bytes. */
    public static final int WRAPPED_KEY_BYTES = Long.BYTES + AesGcm.SALT_BYTES + AesGcm.KEY_BYTES + AesGcm.TAG_BYTES;

    private static final byte FRAMES = 1;
    private static final byte GRANULES = 2;

    private final long currentId;
    private final byte[] current;
    private final Map<Long, byte[]> keys;

    /** @param keys the current key first, each 32 bytes */
    KeyRing(List<byte[]> keys)
    {
        this.keys = new LinkedHashMap<>();
        keys.forEach(key -> this.keys.putIfAbsent(id(key), key));
        current = keys.get(0);
        currentId = id(current);
    }

    /**
     * Loads the keys from the places that the operator configured: {@code file:PATH} or {@code env:NAME}. A key is 32 bytes, written as 64
     * hexadecimal digits or in base 64. A key file may be readable only by its owner and by a group of this process. Empty if nothing is encrypted.
     *
     * @throws io.eyrie.cache.config.ConfigException about a key that cannot be used
     */
    public static Optional<KeyRing> load(PageCacheConfig config)
    {
        return config.encryptionKey().map(current -> KeySource.load(current, config.previousEncryptionKeys(), System.getenv()));
    }

    /** Creates a cipher for a new generation of a segment. */
    public GranuleCipher newGranuleCipher(long generation)
    {
        return new GranuleCipher(wrapNew(GRANULES, generation), generation);
    }

    /** Returns the cipher of an existing generation of a segment; empty if the key that wrapped its data key is unknown, or the wrapped key is damaged. */
    public Optional<GranuleCipher> granuleCipher(long generation, byte[] wrappedKey)
    {
        return unwrap(GRANULES, generation, wrappedKey).map(dataKey -> new GranuleCipher(dataKey, generation));
    }

    /** Creates a cipher for a new file, which has this number among those of its kind. */
    public FrameCipher newFrameCipher(long fileNumber)
    {
        return new FrameCipher(wrapNew(FRAMES, fileNumber));
    }

    /** Returns the cipher that opens the frames of an existing file; empty as in {@link #granuleCipher}. */
    public Optional<FrameCipher> frameCipher(long fileNumber, byte[] wrappedKey)
    {
        return unwrap(FRAMES, fileNumber, wrappedKey).map(FrameCipher::new);
    }

    /** Whether the current key wrapped a data key. If not, the encrypted data is lost once the operator drops that previous key. */
    public boolean isCurrent(byte[] wrappedKey)
    {
        return ByteBuffer.wrap(wrappedKey).getLong() == currentId;
    }

    private DataKey wrapNew(byte kind, long number)
    {
        byte[] key = AesGcm.randomBytes(AesGcm.KEY_BYTES);
        byte[] salt = AesGcm.randomBytes(AesGcm.SALT_BYTES);
        ByteBuffer wrapped = ByteBuffer.allocate(WRAPPED_KEY_BYTES).putLong(currentId).put(salt);
        AesGcm.seal(wrappingKey(current, salt), 0, context(kind, number), ByteBuffer.wrap(key), wrapped);
        return new DataKey(key, wrapped.array());
    }

    private Optional<DataKey> unwrap(byte kind, long number, byte[] wrappedKey)
    {
        if (wrappedKey.length != WRAPPED_KEY_BYTES) {
            return Optional.empty();
        }
        ByteBuffer wrapped = ByteBuffer.wrap(wrappedKey);
        byte[] operatorKey = keys.get(wrapped.getLong());
        if (operatorKey == null) {
            return Optional.empty();
        }
        byte[] salt = new byte[AesGcm.SALT_BYTES];
        wrapped.get(salt);
        ByteBuffer key = ByteBuffer.allocate(AesGcm.KEY_BYTES);
        return AesGcm.open(wrappingKey(operatorKey, salt), 0, context(kind, number), wrapped, key)
                ? Optional.of(new DataKey(key.array(), wrappedKey.clone()))
                : Optional.empty();
    }

    private static SecretKey wrappingKey(byte[] operatorKey, byte[] salt)
    {
        return AesGcm.aesKey(AesGcm.derive(operatorKey, "wrapping", salt));
    }

    private static ByteBuffer context(byte kind, long number)
    {
        return AesGcm.context().put(kind).putLong(number);
    }

    /** Identifies a key without revealing anything about it. */
    private static long id(byte[] key)
    {
        return ByteBuffer.wrap(AesGcm.derive(key, "id", new byte[0])).getLong();
    }

    @Override
    public String toString()
    {
        return "KeyRing of " + keys.size() + " keys";
    }
}
