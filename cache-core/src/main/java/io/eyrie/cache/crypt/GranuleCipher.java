// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import javax.crypto.SecretKey;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Encrypts the granules of one generation of one segment with a random data key of this generation. Thread-safe; takes no lock, and allocates no
 * memory that grows with the granule. Only {@link #wrappedKey()} has to be stored.
 */
public final class GranuleCipher
{
    /*
     * Sealed   | salt | counter | bytes, encrypted | tag |
     * Keys     A cipher that seals draws a salt and counts from 0 with the key derived from it. After a restart, granules of the same generation are
     *          sealed with another salt, so no counter has to survive. The cipher remembers the salts that it encountered, with their keys.
     */
    /** Number of bytes that sealing adds to a granule. */
    public static final int OVERHEAD_BYTES = AesGcm.SALT_BYTES + Long.BYTES + AesGcm.TAG_BYTES;

    private static final String PURPOSE = "granules";

    private final DataKey dataKey;
    private final long generation;
    private final Map<Salt, SecretKey> keys = new ConcurrentHashMap<>();
    private final Salt ownSalt;
    private final SecretKey ownKey;
    private final AtomicLong counter = new AtomicLong();

    GranuleCipher(DataKey dataKey, long generation)
    {
        this.dataKey = dataKey;
        this.generation = generation;
        ByteBuffer random = ByteBuffer.wrap(AesGcm.randomBytes(AesGcm.SALT_BYTES));
        ownSalt = new Salt(random.getLong(), random.getLong());
        ownKey = derive(ownSalt);
        keys.put(ownSalt, ownKey);
    }

    /** The data key, wrapped by the operator's key. The owner stores it with the generation, where a restart finds it. */
    public byte[] wrappedKey()
    {
        return dataKey.wrapped();
    }

    /**
     * Encrypts the remaining bytes of a granule. If the granule was sealed before, another nonce is used.
     *
     * @param hashHigh first half of the hash of the page's key
     * @param hashLow second half
     * @param granule the granule's number within its file
     * @param target has room for the granule and {@link #OVERHEAD_BYTES}
     */
    public void seal(long hashHigh, long hashLow, long granule, ByteBuffer plain, ByteBuffer target)
    {
        long nonce = counter.getAndIncrement();
        target.putLong(ownSalt.high).putLong(ownSalt.low).putLong(nonce);
        AesGcm.seal(ownKey, nonce, context(hashHigh, hashLow, granule), plain, target);
    }

    /**
     * Decrypts a granule and proves that it is the requested one, of this generation of this segment, unchanged.
     *
     * @param sealed everything that {@link #seal} wrote
     * @param target receives the plaintext; if the result is false, its content is undefined and its position unchanged
     * @return whether the proof succeeded
     */
    public boolean open(long hashHigh, long hashLow, long granule, ByteBuffer sealed, ByteBuffer target)
    {
        if (sealed.remaining() < OVERHEAD_BYTES) {
            return false;
        }
        Salt salt = new Salt(sealed.getLong(), sealed.getLong());
        long nonce = sealed.getLong();
        SecretKey known = keys.get(salt);
        SecretKey key = known == null ? derive(salt) : known;
        boolean opened = AesGcm.open(key, nonce, context(hashHigh, hashLow, granule), sealed, target);
        if (opened && known == null) {
            // only now, so that damaged salts do not accumulate
            keys.put(salt, key);
        }
        return opened;
    }

    private ByteBuffer context(long hashHigh, long hashLow, long granule)
    {
        return AesGcm.context().putLong(hashHigh).putLong(hashLow).putLong(granule).putLong(generation);
    }

    private SecretKey derive(Salt salt)
    {
        byte[] bytes = ByteBuffer.allocate(AesGcm.SALT_BYTES).putLong(salt.high).putLong(salt.low).array();
        return AesGcm.aesKey(dataKey.derive(PURPOSE, bytes));
    }

    private record Salt(long high, long low)
    {}
}
