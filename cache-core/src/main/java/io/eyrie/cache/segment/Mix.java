// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

/** Spreads the bits of numbers. */
final class Mix
{
    private Mix()
    {}

    /** The finalizer of Stafford's variant 13 of MurmurHash3's mixer: each bit of the value flips half of the result's bits. A bijection. */
    static long mix(long value)
    {
        long z = value + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
