// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import static java.util.Objects.requireNonNull;

/**
 * Bounds the memory that the build sides of all queries use on this node. Those in use count as their queries' memory, like Presto's own hash tables, and
 * are not a part of {@code cache.max-memory}. A build side that no split uses is idle: it stays in memory for the query's next splits, within a bound that
 * is a part of {@code cache.max-memory}, until another build side needs the memory. A build side that becomes idle drops those that have been idle for a
 * minute. Thread-safe.
 */
final class BuildMemory
{
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final long maxBytes;
    private final long maxIdleBytes;
    private final LongSupplier clock;
    @GuardedBy("this")
    private long reservedBytes;
    @GuardedBy("this")
    private final Map<Holder, Long> idle = new LinkedHashMap<>();

    /** The owner of reserved memory. Compared by identity. */
    interface Holder
    {
        /** Returns how much memory is reserved for it. Called only while it is idle. */
        long heldBytes();

        /** Discards everything, and returns how much memory was reserved for it. Called only while it is idle. */
        long drop();
    }

    @Inject
    BuildMemory(MemoryPlan plan)
    {
        this(
                plan.maxBuildBytes(),
                plan.bytes(MemoryLayer.FRAGMENT_JOINS),
                System::nanoTime);
    }

    /** @param maxIdleBytes the maximum memory of idle build sides */
    BuildMemory(long maxBytes, long maxIdleBytes, LongSupplier clock)
    {
        this.maxBytes = maxBytes;
        this.maxIdleBytes = maxIdleBytes;
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Reserves memory, and drops idle holders if there is not enough. Returns whether the memory is reserved. */
    synchronized boolean grow(long bytes)
    {
        while (reservedBytes + bytes > maxBytes && dropOldest(Long.MAX_VALUE)) {
            // the next
        }
        if (reservedBytes + bytes > maxBytes) {
            return false;
        }
        reservedBytes += bytes;
        return true;
    }

    /** Releases reserved memory. */
    synchronized void shrink(long bytes)
    {
        reservedBytes -= bytes;
    }

    /** Marks a holder as idle: it may be dropped from now on. */
    synchronized void idle(Holder holder)
    {
        while (dropOldest(clock.getAsLong() - IDLE.toNanos())) {
            // the next
        }
        idle.put(holder, clock.getAsLong());
        while (idle.keySet().stream().mapToLong(Holder::heldBytes).sum() > maxIdleBytes && dropOldest(Long.MAX_VALUE)) {
            // the next
        }
    }

    /** Marks a holder as used: it is not dropped from now on. */
    synchronized void busy(Holder holder)
    {
        idle.remove(holder);
    }

    synchronized long reservedBytes()
    {
        return reservedBytes;
    }

    @GuardedBy("this")
    private boolean dropOldest(long beforeNanos)
    {
        Iterator<Map.Entry<Holder, Long>> oldest = idle.entrySet().iterator();
        if (!oldest.hasNext()) {
            return false;
        }
        Map.Entry<Holder, Long> entry = oldest.next();
        if (beforeNanos != Long.MAX_VALUE && entry.getValue() - beforeNanos > 0) {
            return false;
        }
        oldest.remove();
        reservedBytes -= entry.getKey().drop();
        return true;
    }
}
