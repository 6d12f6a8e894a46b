// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import java.util.concurrent.atomic.AtomicLong;

/** Limits the bytes that one query writes to the cache. */
public final class QueryBudget
        implements WriteBudget
{
    private final AtomicLong leftBytes;

    /**
     * Creates an unused budget.
     *
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public QueryBudget(long bytes)
    {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes is negative: " + bytes);
        }
        leftBytes = new AtomicLong(bytes);
    }

    @Override
    public boolean take(long bytes)
    {
        long left = leftBytes.get();
        while (left >= bytes) {
            if (leftBytes.compareAndSet(left, left - bytes)) {
                return true;
            }
            left = leftBytes.get();
        }
        return false;
    }
}
