// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import java.nio.ByteBuffer;

/**
 * An element of GCM's field of 2^128 elements, whose bits run from the highest of {@code high} to the lowest of {@code low}. The running time depends
 * on the values, so do not use it for secrets if others can measure the time.
 */
record Gf128(long high, long low)
{
    private static final long REDUCTION = 0xE1L << 56;
    private static final Gf128 ONE = new Gf128(1L << 63, 0);

    static Gf128 of(byte[] block)
    {
        ByteBuffer bytes = ByteBuffer.wrap(block);
        return new Gf128(bytes.getLong(), bytes.getLong());
    }

    Gf128 plus(Gf128 other)
    {
        return new Gf128(high ^ other.high, low ^ other.low);
    }

    Gf128 times(Gf128 other)
    {
        long sumHigh = 0;
        long sumLow = 0;
        long shiftedHigh = other.high;
        long shiftedLow = other.low;
        for (int bit = 0; bit < 2 * Long.SIZE; bit++) {
            long word = bit < Long.SIZE ? high : low;
            if (word << bit < 0) {
                sumHigh ^= shiftedHigh;
                sumLow ^= shiftedLow;
            }
            boolean carry = (shiftedLow & 1) != 0;
            shiftedLow = shiftedLow >>> 1 | shiftedHigh << 63;
            shiftedHigh = shiftedHigh >>> 1 ^ (carry ? REDUCTION : 0);
        }
        return new Gf128(sumHigh, sumLow);
    }

    Gf128 power(int exponent)
    {
        Gf128 result = ONE;
        Gf128 square = this;
        for (int left = exponent; left > 0; left >>= 1) {
            result = (left & 1) == 0 ? result : result.times(square);
            square = square.times(square);
        }
        return result;
    }

    /** Returns the inverse; the inverse of zero is zero. */
    Gf128 inverse()
    {
        // to the power of 2^128 - 2
        Gf128 result = ONE;
        Gf128 square = this;
        for (int bit = 1; bit < 2 * Long.SIZE; bit++) {
            square = square.times(square);
            result = result.times(square);
        }
        return result;
    }
}
