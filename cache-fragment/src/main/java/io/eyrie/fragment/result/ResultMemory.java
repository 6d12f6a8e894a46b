package io.eyrie.fragment.result;

import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory that results being recorded and results being served hold together. Thread-safe. */
final class ResultMemory
{
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();
    // by how many a result is served from the same bytes, which are counted once
    private final IdentityHashMap<byte[], Integer> served = new IdentityHashMap<>();

    ResultMemory(long maxBytes)
    {
        this.maxBytes = maxBytes;
    }

    long bytes()
    {
        return bytes.get();
    }

    /** Takes memory in any case, and reports whether that is within the bound. */
    boolean grow(long more)
    {
        return bytes.addAndGet(more) <= maxBytes;
    }

    void release(long less)
    {
        bytes.addAndGet(-less);
    }

    /** Takes memory if it is within the bound. */
    boolean reserve(long more)
    {
        if (grow(more)) {
            return true;
        }
        release(more);
        return false;
    }

    /** Takes the memory of a result that is served, unless it is served already, if it is within the bound. */
    synchronized boolean hold(byte[] result)
    {
        if (!served.containsKey(result) && !reserve(result.length)) {
            return false;
        }
        served.merge(result, 1, Integer::sum);
        return true;
    }

    /** Gives back what {@link #hold} took. */
    synchronized void letGo(byte[] result)
    {
        Integer left = served.computeIfPresent(result, (any, count) -> count == 1 ? null : Integer.valueOf(count - 1));
        if (left == null) {
            release(result.length);
        }
    }
}
