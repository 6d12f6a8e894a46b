// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import io.eyrie.cache.blob.BlobKey;

import java.nio.ByteBuffer;

/** Identifies a column of a result: a hash of its canonical expression, including the type. */
public record OutputId(long high, long low)
        implements Comparable<OutputId>
{
    public static final int BYTES = 2 * Long.BYTES;

    static OutputId of(byte[] expression)
    {
        BlobKey hash = BlobKey.of(ByteBuffer.wrap(expression));
        return new OutputId(hash.hashHigh(), hash.hashLow());
    }

    @Override
    public int compareTo(OutputId other)
    {
        int byHigh = Long.compareUnsigned(high, other.high);
        return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
    }
}
