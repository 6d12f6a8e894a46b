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

/** AES-256 in Galois/counter mode with counters as nonces, and the derivation of the keys that counters start anew with. */
final class AesGcm
{
    /*
     * Nonce  four zero bytes, then a counter that the user of the key never uses twice
     * Keys   A counter lives in memory alone and dies with its process. So whoever begins to count derives a key of its own from
     *        a random salt, which lies beside what it encrypts: no state on a disk has to be true for a nonce to be new.
     */
    static final int KEY_BYTES = 32;
    static final int SALT_BYTES = 16;
    static final int TAG_BYTES = 16;

    private static final int NONCE_BYTES = 12;
    private static final int MAX_CONTEXT_BYTES = 64;
    private static final String MAC = "HmacSHA256";
    private static final SecureRandom random = new SecureRandom();
    private static final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

    private AesGcm()
    {}

    static byte[] randomBytes(int length)
    {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Another key for every purpose and salt. */
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

    /** An empty buffer of this thread for what is to be authenticated but not encrypted; the next call on this thread reuses it. */
    static ByteBuffer context()
    {
        return scratch.get().context.clear();
    }

    /** @param context what {@link #context} gave, filled */
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

    /** Whether what was sealed is unchanged, and sealed with the same key, counter and context. */
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

    /** What a thread needs again and again. */
    private static final class Scratch
    {
        private final Cipher cipher;
        private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
        private final ByteBuffer context = ByteBuffer.allocate(MAX_CONTEXT_BYTES);

        Scratch()
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
