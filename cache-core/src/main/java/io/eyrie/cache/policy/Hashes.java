// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

/** Hash functions in which each bit of the result depends on all bits of the input. */
final class Hashes
{
    private Hashes()
    {}

    /** The finalizer of SplitMix64, whose constants are Stafford's mix 13. */
    static long mix(long value)
    {
        long mixed = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
