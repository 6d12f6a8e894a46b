// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.crypt.TestingKeys;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SealedTraceTest
{
    private static final int MAGIC_BYTES = Long.BYTES;
    private static final KeyRing KEYS = TestingKeys.ring(1);

    private static byte[] random(int length)
    {
        byte[] bytes = new byte[length];
        new SplittableRandom(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] sealed(byte[] plain)
            throws IOException
    {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SealedOutput sealing = new SealedOutput(out, KEYS)) {
            sealing.write(plain, 0, plain.length / 3);
            for (int i = plain.length / 3; i < plain.length; i++) {
                sealing.write(plain[i]);
            }
        }
        return out.toByteArray();
    }

    private static byte[] opened(byte[] sealed, KeyRing keys)
            throws IOException
    {
        try (SealedInput in = new SealedInput(new ByteArrayInputStream(sealed, MAGIC_BYTES, Math.max(0, sealed.length - MAGIC_BYTES)), keys)) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 8192, 50_000})
    void anyLengthComesBack(int length)
            throws IOException
    {
        byte[] plain = random(length);
        byte[] sealed = sealed(plain);
        assertThat(opened(sealed, KEYS)).isEqualTo(plain);
        assertThat(opened(sealed, TestingKeys.ring(2, 1))).isEqualTo(plain);
        assertThatThrownBy(() -> opened(sealed, TestingKeys.ring(2))).isInstanceOf(IOException.class).hasMessageContaining("key");
    }

    @Property(tries = 300)
    void traceThatWasCutOffAnywhere(@ForAll @IntRange(min = 0, max = 20_000) int place)
            throws IOException
    {
        byte[] sealed = sealed(random(2 * TraceFormat.FRAME_BYTES));
        byte[] cut = Arrays.copyOf(sealed, place % sealed.length);
        assertThatThrownBy(() -> opened(cut, KEYS)).isInstanceOf(EOFException.class);
    }

    @Property(tries = 300)
    void traceWithAnyByteChanged(@ForAll @IntRange(min = MAGIC_BYTES, max = 20_000) int place, @ForAll @IntRange(min = 1, max = 255) int change)
            throws IOException
    {
        byte[] sealed = sealed(random(2 * TraceFormat.FRAME_BYTES));
        sealed[MAGIC_BYTES + place % (sealed.length - MAGIC_BYTES)] ^= (byte) change;
        assertThatThrownBy(() -> opened(sealed, KEYS)).isInstanceOf(IOException.class);
    }
}
