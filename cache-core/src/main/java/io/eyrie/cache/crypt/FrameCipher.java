package io.eyrie.cache.crypt;

import javax.crypto.SecretKey;

import java.nio.ByteBuffer;

/**
 * Encrypts the frames of one file that is written once, from its beginning to its end, with a random data key of its own. The frames are
 * numbered from 0 in the order of their sealing; sealing one again takes the next number. Used by one thread.
 */
public final class FrameCipher
{
    /** How much longer a frame is when sealed. */
    public static final int OVERHEAD_BYTES = AesGcm.TAG_BYTES;

    private final SecretKey key;
    private final byte[] wrappedKey;
    private long sealed;

    FrameCipher(DataKey dataKey)
    {
        key = AesGcm.aesKey(dataKey.derive("frames", new byte[0]));
        wrappedKey = dataKey.wrapped();
    }

    /** The data key, wrapped by the operator's key, {@link KeyRing#WRAPPED_KEY_BYTES} long: belongs into the file's header. */
    public byte[] wrappedKey()
    {
        return wrappedKey.clone();
    }

    /** Encrypts what remains in a frame. */
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
