// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.crypt;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Key rings for tests. */
public final class TestingKeys
{
    private TestingKeys()
    {}

    /** Returns a ring of keys that are identified by numbers, the current one first. */
    public static KeyRing ring(int... numbers)
    {
        return new KeyRing(IntStream.of(numbers).mapToObj(TestingKeys::key).toList());
    }

    static byte[] key(int number)
    {
        byte[] key = new byte[AesGcm.KEY_BYTES];
        Arrays.fill(key, (byte) number);
        return key;
    }
}
