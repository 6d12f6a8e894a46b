// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import javax.crypto.SecretKey;

import java.nio.ByteBuffer;

/**
 * Encrypts the frames of one file with a random data key of this file. The file is written once, from beginning to end. Frames are numbered from 0 in
 * the order of sealing; a frame that is sealed again takes the next number. Used by one thread.
 */
public final class FrameCipher
{
    /** Number of bytes that sealing adds to a frame. */
    public static final int OVERHEAD_BYTES = AesGcm.TAG_BYTES;

    private final SecretKey key;
    private final byte[] wrappedKey;
    private long sealed;

    FrameCipher(DataKey dataKey)
    {
        key = AesGcm.aesKey(dataKey.derive("frames", new byte[0]));
        wrappedKey = dataKey.wrapped();
    }

    /** The data key, wrapped by the operator's key, {@link KeyRing#WRAPPED_KEY_BYTES} long. The owner stores it in the file's header. */
    public byte[] wrappedKey()
    {
        return wrappedKey.clone();
    }

    /** Encrypts the remaining bytes of a frame. */
    public void seal(ByteBuffer plain, ByteBuffer target)
    {
        AesGcm.seal(key, sealed, AesGcm.context(), plain, target);
        sealed++;
    }

    /**
     * Decrypts a frame.
     *
     * @param number how many frames of the file were sealed before it
     * @return whether it is that frame of that file, unchanged; if not, the target's content is undefined and its position unchanged
     */
    public boolean open(long number, ByteBuffer frame, ByteBuffer target)
    {
        return frame.remaining() >= OVERHEAD_BYTES && AesGcm.open(key, number, AesGcm.context(), frame, target);
    }
}
