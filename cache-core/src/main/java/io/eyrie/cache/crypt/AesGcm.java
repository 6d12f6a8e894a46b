// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;

/** AES-256-GCM with counters as nonces, and the derivation of a new key for each counter that starts at 0. */
final class AesGcm
{
    /*
     * Nonce  four zero bytes, then a counter value that the user of the key never repeats
     * Keys   A counter exists only in memory and is lost with its process. So every counter starts at 0 with a new key: either the key comes from a
     *        new random data key, or it is derived with a random salt that is stored next to the ciphertext. No state on disk has to be correct for a
     *        nonce to be new.
     */
    static final int KEY_BYTES = 32;
    static final int SALT_BYTES = 16;
    static final int TAG_BYTES = 16;

    private static final int NONCE_BYTES = 12;
    private static final int MAX_CONTEXT_BYTES = 64;
    private static final String MAC = "HmacSHA256";
    private static final SecureRandom random = new SecureRandom();
    private static final ThreadLocal<CipherState> scratch = ThreadLocal.withInitial(CipherState::new);

    private AesGcm()
    {}

    static byte[] randomBytes(int length)
    {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Derives a key; different for every purpose and salt. */
    static byte[] derive(byte[] key, String purpose, byte[] salt)
    {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            mac.update(purpose.getBytes(StandardCharsets.US_ASCII));
            mac.update((byte) 0);
            return mac.doFinal(salt);
        }
        catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK lacks " + MAC, e);
        }
    }

    static SecretKey aesKey(byte[] key)
    {
        return new SecretKeySpec(key, "AES");
    }

    /** Returns this thread's buffer, emptied, for data to authenticate but not encrypt. The next call on this thread reuses it. */
    static ByteBuffer context()
    {
        return scratch.get().context.clear();
    }

    /** @param context the buffer of {@link #context}, filled */
    static void seal(SecretKey key, long counter, ByteBuffer context, ByteBuffer plain, ByteBuffer target)
    {
        try {
            Cipher cipher = scratch.get().cipher(Cipher.ENCRYPT_MODE, key, counter, context);
            cipher.doFinal(plain, target);
        }
        catch (GeneralSecurityException e) {
            throw new IllegalStateException("Encrypting failed", e);
        }
    }

    /** Decrypts; returns whether the data is unchanged and was sealed with the same key, counter and context. */
    static boolean open(SecretKey key, long counter, ByteBuffer context, ByteBuffer sealed, ByteBuffer target)
    {
        int position = target.position();
        try {
            Cipher cipher = scratch.get().cipher(Cipher.DECRYPT_MODE, key, counter, context);
            cipher.doFinal(sealed, target);
            return true;
        }
        catch (AEADBadTagException e) {
            target.position(position);
            return false;
        }
        catch (GeneralSecurityException e) {
            throw new IllegalStateException("Decrypting failed", e);
        }
    }

    /** Objects that a thread reuses. */
    private static final class CipherState
    {
        private final Cipher cipher;
        private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
        private final ByteBuffer context = ByteBuffer.allocate(MAX_CONTEXT_BYTES);

        CipherState()
        {
            try {
                cipher = Cipher.getInstance("AES/GCM/NoPadding");
            }
            catch (GeneralSecurityException e) {
                throw new IllegalStateException("The JDK lacks AES/GCM", e);
            }
        }

        Cipher cipher(int mode, SecretKey key, long counter, ByteBuffer filledContext)
                throws GeneralSecurityException
        {
            nonce.putLong(NONCE_BYTES - Long.BYTES, counter);
            cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce.array()));
            cipher.updateAAD(filledContext.flip());
            return cipher;
        }
    }
}
