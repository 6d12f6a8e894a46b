package io.eyrie.cache.crypt;

import java.nio.ByteBuffer;

/**
 * Encrypts the granules of one generation of one segment with a random data key of its own. Thread-safe; no lock and no allocation that
 * grows with the granule.
 */
public interface GranuleCipher
{
    /** How much longer a granule is when sealed. */
    int OVERHEAD_BYTES = 16 + 8 + 16;

    /**
     * Encrypts what remains in a granule, again with another nonce if it was sealed before.
     *
     * @param hashHigh first half of the hash of the page's key
     * @param hashLow second half
     * @param granule the granule's number within its file
     * @param target takes the granule's length and {@link #OVERHEAD_BYTES}
     */
    void seal(long hashHigh, long hashLow, long granule, ByteBuffer plain, ByteBuffer target);

    /**
     * Decrypts a granule and proves that it is the one named, of this generation of this segment, unchanged.
     *
     * @param sealed what {@link #seal} wrote, all of it
     * @param target takes what was sealed; where the answer is no, its content is undefined and its position unchanged
     * @return whether it is
     */
    boolean open(long hashHigh, long hashLow, long granule, ByteBuffer sealed, ByteBuffer target);

    /** The data key, wrapped by the operator's current key: the owner keeps it, with the generation, where a restart finds it. */
    byte[] wrappedKey();
}
