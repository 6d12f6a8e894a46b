package io.eyrie.cache.crypt;

import io.eyrie.cache.config.PageCacheConfig;

import javax.crypto.SecretKey;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operator's keys: a current one, which wraps new data keys, and previous ones, with which older data keys can still be
 * unwrapped. Thread-safe; shows no key.
 */
public final class KeyRing
{
    /*
     * Wrapped   | id of the operator's key | salt | data key, encrypted | tag |
     *           The salt makes a key of its own for each data key, used once. What the data key is for is authenticated.
     */
    /** The length of a wrapped data key. */
    public static final int WRAPPED_KEY_BYTES = Long.BYTES + AesGcm.SALT_BYTES + AesGcm.KEY_BYTES + AesGcm.TAG_BYTES;

    private static final byte FRAMES = 1;
    private static final byte GRANULES = 2;

    private final long currentId;
    private final byte[] current;
    private final Map<Long, byte[]> keys;

    /** @param keys the current one first, each 32 bytes */
    KeyRing(List<byte[]> keys)
    {
        this.keys = new LinkedHashMap<>();
        keys.forEach(key -> this.keys.putIfAbsent(id(key), key));
        current = keys.get(0);
        currentId = id(current);
    }

    /**
     * Loads keys from where the operator keeps them: {@code file:PATH} or {@code env:NAME}. A key is 32 bytes, written as 64 hexadecimal digits or
     * in base 64. Only its owner and groups of the process may read a key file. Empty if nothing is encrypted.
     *
     * @throws io.eyrie.cache.config.ConfigException about a key that cannot be used
     */
    public static Optional<KeyRing> load(PageCacheConfig config)
    {
        return config.encryptionKey().map(current -> KeySource.load(current, config.previousEncryptionKeys(), System.getenv()));
    }

    /** A cipher for a generation of a segment that begins. */
    public GranuleCipher newGranuleCipher(long generation)
    {
        return new GranuleCipher(wrapNew(GRANULES, generation), generation);
    }

    /** The cipher of a generation of a segment that exists; empty if the key that wrapped its data key is unknown, or the wrapped key damaged. */
    public Optional<GranuleCipher> granuleCipher(long generation, byte[] wrappedKey)
    {
        return unwrap(GRANULES, generation, wrappedKey).map(dataKey -> new GranuleCipher(dataKey, generation));
    }

    /** A cipher for a file that begins, which has this number among those of its kind. */
    public FrameCipher newFrameCipher(long fileNumber)
    {
        return new FrameCipher(wrapNew(FRAMES, fileNumber));
    }

    /** The cipher of a file that exists, to open its frames with; empty as in {@link #granuleCipher}. */
    public Optional<FrameCipher> frameCipher(long fileNumber, byte[] wrappedKey)
    {
        return unwrap(FRAMES, fileNumber, wrappedKey).map(FrameCipher::new);
    }

    /** Whether a data key was wrapped by the current key; if not, what it encrypts is lost once the operator drops that previous key. */
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

    /** Tells keys apart without telling anything about them. */
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
