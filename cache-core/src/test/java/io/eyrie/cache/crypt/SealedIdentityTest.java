// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

final class SealedIdentityTest
{
    private final GranuleCipher cipher = TestingKeys.ring(1).newGranuleCipher(-77);

    private ByteBuffer sealed(long hashHigh, long hashLow, long granule, int length)
    {
        byte[] plain = new byte[length];
        new Random(length).nextBytes(plain);
        ByteBuffer target = ByteBuffer.allocate(length + GranuleCipher.OVERHEAD_BYTES);
        cipher.seal(hashHigh, hashLow, granule, ByteBuffer.wrap(plain), target);
        return target.flip();
    }

    @Property(tries = 200)
    void hashIsFoundFromAnyGranule(
            @ForAll long hashHigh,
            @ForAll long hashLow,
            @ForAll @LongRange(min = 0, max = 1L << 40) long granule,
            @ForAll @IntRange(min = 1, max = 200) int length)
    {
        SealedIdentity identity = cipher.identity(sealed(hashHigh, hashLow, granule, length));
        assertThat(identity.hashHigh(granule)).isEqualTo(hashHigh);
        assertThat(identity.hashLow(granule)).isEqualTo(hashLow);
        assertThat(identity.hashLow(granule + 1)).isNotEqualTo(hashLow);
    }

    @Test
    void cipherThatWasOpenedAgainFindsTheSame()
    {
        ByteBuffer sealed = sealed(3, 4, 5, 16 << 10);
        GranuleCipher again = TestingKeys.ring(2, 1).granuleCipher(-77, cipher.wrappedKey()).orElseThrow();
        SealedIdentity identity = again.identity(sealed);
        assertThat(identity.hashHigh(5)).isEqualTo(3);
        assertThat(identity.hashLow(5)).isEqualTo(4);
        assertThat(again.open(3, 4, 5, sealed, ByteBuffer.allocate(16 << 10))).isTrue();
    }

    @Property(tries = 200)
    void anyBitThatIsTurnedGivesAnotherHash(@ForAll @IntRange(min = 0, max = 100 * 8 + GranuleCipher.OVERHEAD_BYTES * 8 - 1) int bit)
    {
        ByteBuffer sealed = sealed(3, 4, 5, 100);
        sealed.put(bit / 8, (byte) (sealed.get(bit / 8) ^ 1 << bit % 8));
        SealedIdentity identity = cipher.identity(sealed);
        assertThat(identity.hashHigh(5) == 3 && identity.hashLow(5) == 4).isFalse();
    }
}
