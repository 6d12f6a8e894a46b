// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import static io.eyrie.cache.crypt.TestingKeys.ring;
import static org.assertj.core.api.Assertions.assertThat;

final class GranuleCipherTest
{
    private static final int LENGTH = 4096;
    private static final int NONCE_BYTES = AesGcm.SALT_BYTES + Long.BYTES;

    private final KeyRing ring = ring(1);

    private static byte[] plain()
    {
        byte[] plain = new byte[LENGTH];
        new Random(1).nextBytes(plain);
        return plain;
    }

    private static byte[] seal(GranuleCipher cipher, byte[] plain)
    {
        ByteBuffer sealed = ByteBuffer.allocateDirect(plain.length + GranuleCipher.OVERHEAD_BYTES);
        cipher.seal(1, 2, 3, ByteBuffer.wrap(plain), sealed);
        assertThat(sealed.hasRemaining()).isFalse();
        byte[] bytes = new byte[sealed.flip().remaining()];
        sealed.get(bytes);
        return bytes;
    }

    private static boolean opens(GranuleCipher cipher, byte[] sealed, long hashHigh, long hashLow, long granule)
    {
        ByteBuffer target = ByteBuffer.allocate(LENGTH + 1).position(1);
        boolean opened = cipher.open(hashHigh, hashLow, granule, ByteBuffer.wrap(sealed), target);
        assertThat(target.position()).isEqualTo(opened ? LENGTH + 1 : 1);
        return opened && Arrays.equals(target.array(), 1, LENGTH + 1, plain(), 0, LENGTH);
    }

    @Test
    void sealedGranuleOpensAsItselfAlone()
    {
        GranuleCipher cipher = ring.newGranuleCipher(9);
        byte[] sealed = seal(cipher, plain());
        assertThat(opens(cipher, sealed, 1, 2, 3)).isTrue();
        assertThat(opens(cipher, sealed, 0, 2, 3)).isFalse();
        assertThat(opens(cipher, sealed, 1, 0, 3)).isFalse();
        assertThat(opens(cipher, sealed, 1, 2, 0)).isFalse();
        assertThat(opens(ring.newGranuleCipher(9), sealed, 1, 2, 3)).isFalse();
        assertThat(opens(new GranuleCipher(new DataKey(new byte[32], new byte[0]), 9), seal(new GranuleCipher(new DataKey(new byte[32], new byte[0]),
                8), plain()), 1, 2, 3))
                .as("another generation with the same key")
                .isFalse();
    }

    @Test
    void damagedGranuleDoesNotOpen()
    {
        GranuleCipher cipher = ring.newGranuleCipher(9);
        byte[] sealed = seal(cipher, plain());
        for (int position = 0; position < sealed.length; position += position < 64 ? 1 : 31) {
            byte[] damaged = sealed.clone();
            damaged[position] ^= 4;
            assertThat(opens(cipher, damaged, 1, 2, 3)).as("byte %d", position).isFalse();
        }
        for (int length = 0; length < sealed.length; length += 97) {
            assertThat(opens(cipher, Arrays.copyOf(sealed, length), 1, 2, 3)).as("length %d", length).isFalse();
        }
        assertThat(opens(cipher, sealed, 1, 2, 3)).isTrue();
    }

    @Test
    void directAndHeapBuffersAreTheSame()
    {
        GranuleCipher cipher = ring.newGranuleCipher(9);
        ByteBuffer sealed = ByteBuffer.allocateDirect(LENGTH + GranuleCipher.OVERHEAD_BYTES).put(seal(cipher, plain())).flip();
        ByteBuffer target = ByteBuffer.allocateDirect(LENGTH);
        assertThat(cipher.open(1, 2, 3, sealed, target)).isTrue();
        assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(plain()));
    }

    @Test
    void noNonceIsUsedTwiceAlsoAfterARestart()
    {
        Set<ByteBuffer> nonces = new HashSet<>();
        GranuleCipher cipher = ring.newGranuleCipher(9);
        byte[] wrapped = cipher.wrappedKey();
        int count = 0;
        for (int restart = 0; restart < 20; restart++) {
            GranuleCipher restarted = ring.granuleCipher(9, wrapped).orElseThrow();
            for (int i = 0; i < 20; i++) {
                byte[] sealed = seal(restarted, plain());
                nonces.add(ByteBuffer.wrap(Arrays.copyOf(sealed, NONCE_BYTES)));
                count++;
                assertThat(opens(cipher, sealed, 1, 2, 3)).isTrue();
            }
        }
        assertThat(nonces).hasSize(count);
    }

    @Test
    void threadsThatSealAtATimeTakeDifferentNonces()
    {
        GranuleCipher cipher = ring.newGranuleCipher(9);
        Set<ByteBuffer> nonces = new HashSet<>(
                IntStream.range(0, 2_000)
                        .parallel()
                        .mapToObj(i -> seal(cipher, plain()))
                        .peek(sealed -> assertThat(opens(cipher, sealed, 1, 2, 3)).isTrue())
                        .map(sealed -> ByteBuffer.wrap(Arrays.copyOf(sealed, NONCE_BYTES)))
                        .toList());
        assertThat(nonces).hasSize(2_000);
    }

    @Test
    void framesOpenInTheirPlaceAlone()
    {
        FrameCipher cipher = ring.newFrameCipher(4);
        FrameCipher reader = ring.frameCipher(4, cipher.wrappedKey()).orElseThrow();
        ByteBuffer[] frames = new ByteBuffer[3];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = ByteBuffer.allocate(LENGTH + FrameCipher.OVERHEAD_BYTES);
            cipher.seal(ByteBuffer.wrap(plain()), frames[i]);
        }
        for (int number = 0; number < frames.length; number++) {
            for (int other = 0; other < frames.length; other++) {
                ByteBuffer target = ByteBuffer.allocate(LENGTH);
                assertThat(reader.open(other, frames[number].duplicate().flip(), target)).isEqualTo(number == other);
            }
        }
        assertThat(reader.open(0, ByteBuffer.allocate(3), ByteBuffer.allocate(3))).isFalse();
    }
}
