// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The channels that the files of one folder have for readers, beyond the first of each file: a bounded number. If there are as many as there may be,
 * a file gets another one only in place of the oldest, if that one is old and not in use. Thread-safe; takes no lock.
 */
final class SpareChannels
{
    private final int most;
    private final long minAgeNanos;
    private final AtomicInteger count = new AtomicInteger();
    // the oldest first; as many as counted
    private final Queue<Spare> spares = new ConcurrentLinkedQueue<>();

    private record Spare(LocalFile file, long sinceNanos)
    {}

    /** @param minAgeNanos how long a channel stays at least */
    SpareChannels(int most, long minAgeNanos)
    {
        this.most = most;
        this.minAgeNanos = minAgeNanos;
    }

    /** Notes another channel of a file; returns false if the file must not have it. */
    boolean add(LocalFile file)
    {
        int before = count.get();
        while (before < most) {
            if (count.compareAndSet(before, before + 1)) {
                spares.add(new Spare(file, System.nanoTime()));
                return true;
            }
            before = count.get();
        }
        return replaceOldest(file);
    }

    private boolean replaceOldest(LocalFile file)
    {
        Spare oldest = spares.peek();
        if (oldest == null || System.nanoTime() - oldest.sinceNanos < minAgeNanos || !spares.remove(oldest)) {
            return false;
        }
        boolean closed = oldest.file.closeLastReader();
        spares.add(new Spare(closed ? file : oldest.file, System.nanoTime()));
        return closed;
    }

    /** Notes that a file has one channel fewer. */
    void remove(LocalFile file)
    {
        for (Spare spare : List.copyOf(spares)) {
            if (spare.file == file && spares.remove(spare)) {
                count.decrementAndGet();
                return;
            }
        }
    }
}
