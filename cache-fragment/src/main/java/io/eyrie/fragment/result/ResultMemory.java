// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import java.util.IdentityHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory that results being recorded and served hold together. Thread-safe. */
final class ResultMemory
{
    private final long maxBytes;
    private final AtomicLong bytes = new AtomicLong();
    // the number of readers that each result's bytes are served to; the bytes are counted once
    private final IdentityHashMap<byte[], Integer> served = new IdentityHashMap<>();

    ResultMemory(long maxBytes)
    {
        this.maxBytes = maxBytes;
    }

    long bytes()
    {
        return bytes.get();
    }

    /** Takes memory unconditionally, and returns whether the total is within the bound. */
    boolean grow(long more)
    {
        return bytes.addAndGet(more) <= maxBytes;
    }

    void release(long less)
    {
        bytes.addAndGet(-less);
    }

    /** Takes memory if the total stays within the bound. */
    boolean reserve(long more)
    {
        if (grow(more)) {
            return true;
        }
        release(more);
        return false;
    }

    /** Takes the memory of a served result if the total stays within the bound; takes none if its bytes are served already. */
    synchronized boolean hold(byte[] result)
    {
        if (!served.containsKey(result) && !reserve(result.length)) {
            return false;
        }
        served.merge(result, 1, Integer::sum);
        return true;
    }

    /** Releases what {@link #hold} took. */
    synchronized void letGo(byte[] result)
    {
        Integer left = served.computeIfPresent(result, (any, count) -> count == 1 ? null : Integer.valueOf(count - 1));
        if (left == null) {
            release(result.length);
        }
    }
}
