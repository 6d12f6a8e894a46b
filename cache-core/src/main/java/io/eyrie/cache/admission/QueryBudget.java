package io.eyrie.cache.admission;

import java.util.concurrent.atomic.AtomicLong;

/** A number of bytes that one query may have written. */
public final class QueryBudget
        implements WriteBudget
{
    private final AtomicLong leftBytes;

    /**
     * A budget of which nothing has been taken.
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
