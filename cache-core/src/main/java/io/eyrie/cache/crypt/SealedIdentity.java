// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/**
 * Finds the page that a sealed granule belongs to from its bytes and the key. Disk checks use it, because page names are not on disk. For each number
 * that the granule may have in its file, there is one hash with which the granule would authenticate. Not thread-safe.
 */
public final class SealedIdentity
{
    /*
     * GCM        tag = E(nonce) + A1 H^n + A2 H^(n-1) + C1 H^(n-2) + ... + L H, in GF(2^128) [1]. A1 is the hash of the page's key, A2 the granule's
     *            number and the generation, C the ciphertext, L the lengths. All terms except A1 are known, so A1 can be computed.
     * Proof      A computed hash proves nothing on its own. Its agreement with other knowledge about the page does.
     *
     * [1] NIST SP 800-38D
     */
    private static final int CONTEXT_BYTES = 4 * Long.BYTES;

    private final long baseHigh;
    private final long baseLow;
    // for each bit of a granule's number, from the lowest: its contribution to the hash
    private final long[] bitHigh = new long[Long.SIZE];
    private final long[] bitLow = new long[Long.SIZE];

    /** @param encrypted the ciphertext, followed by the tag */
    SealedIdentity(SecretKey key, long nonce, long generation, ByteBuffer encrypted)
    {
        Gf128 power = encrypt(key, 0, 0);
        Gf128 mask = encrypt(key, nonce >>> Integer.SIZE, nonce << Integer.SIZE | 1);
        int bytes = encrypted.remaining() - AesGcm.TAG_BYTES;
        ByteBuffer text = encrypted.slice().limit(bytes);
        Gf128 sum = new Gf128(0, generation).times(power);
        byte[] block = new byte[AesGcm.TAG_BYTES];
        int blocks = 0;
        while (text.hasRemaining()) {
            int length = Math.min(block.length, text.remaining());
            Arrays.fill(block, (byte) 0);
            text.get(block, 0, length);
            sum = sum.plus(Gf128.of(block)).times(power);
            blocks++;
        }
        sum = sum.plus(new Gf128((long) CONTEXT_BYTES * Byte.SIZE, (long) bytes * Byte.SIZE)).times(power);
        encrypted.slice().position(bytes).get(block);
        Gf128 inverse = power.inverse();
        Gf128 base = Gf128.of(block).plus(mask).plus(sum).times(inverse.power(blocks + 3));
        baseHigh = base.high();
        baseLow = base.low();
        for (int bit = 0; bit < Long.SIZE; bit++) {
            Gf128 added = new Gf128(1L << bit, 0).times(inverse);
            bitHigh[bit] = added.high();
            bitLow[bit] = added.low();
        }
    }

    /** Returns the first half of the hash, if the granule has this number in its file. */
    public long hashHigh(long granule)
    {
        return sum(baseHigh, bitHigh, granule);
    }

    /** Returns the second half. */
    public long hashLow(long granule)
    {
        return sum(baseLow, bitLow, granule);
    }

    private static long sum(long base, long[] bits, long granule)
    {
        long sum = base;
        for (long left = granule; left != 0; left &= left - 1) {
            sum ^= bits[Long.numberOfTrailingZeros(left)];
        }
        return sum;
    }

    private static Gf128 encrypt(SecretKey key, long high, long low)
    {
        try {
            // AES on a single block, from which GCM is built
            Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key);
            return Gf128.of(cipher.doFinal(ByteBuffer.allocate(AesGcm.TAG_BYTES).putLong(high).putLong(low).array()));
        }
        catch (GeneralSecurityException e) {
            throw new IllegalStateException("The JDK lacks AES", e);
        }
    }
}
