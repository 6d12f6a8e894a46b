// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.stored;

import java.nio.ByteBuffer;

import static java.util.Objects.requireNonNull;

/**
 * A stored value. Equal ones have equal bytes.
 *
 * @param version the version of its subject or partition under which it is valid
 * @param millis a time at or before that of the metastore's answer
 * @param shared the part that many values have in common; stored once for all values that are stored together
 * @param own the other part. Both are read-only views of the arrays behind them: a reader uses a duplicate
 */
public record StoredValue(long version, long millis, ByteBuffer shared, ByteBuffer own)
{
    private static final long HEADER_BYTES = 64; // its key and numbers

    public StoredValue
    {
        requireNonNull(shared, "shared is null");
        requireNonNull(own, "own is null");
    }

    /** Returns the approximate bytes that it takes, without the shared part. */
    long bytes()
    {
        return HEADER_BYTES + own.remaining();
    }
}
