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
 * The memory of a node for the build sides of joins, of all queries together. Build sides that no split uses now remain for the query's next splits, until
 * their memory is needed or they are idle for long. Thread-safe.
 */
final class BuildMemory
{
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final long maxBytes;
    private final LongSupplier clock;
    @GuardedBy("this")
    private long reservedBytes;
    @GuardedBy("this")
    private final Map<Holder, Long> idle = new LinkedHashMap<>();

    /** Holds memory. Compared by identity. */
    interface Holder
    {
        /** Gives up everything, and returns how much memory it held. Called while nothing uses it. */
        long drop();
    }

    @Inject
    BuildMemory(MemoryPlan plan)
    {
        this(plan.bytes(MemoryLayer.FRAGMENT_JOINS), System::nanoTime);
    }

    BuildMemory(long maxBytes, LongSupplier clock)
    {
        this.maxBytes = maxBytes;
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Reserves memory, for which idle holders may be dropped; returns whether there was enough. */
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

    synchronized void shrink(long bytes)
    {
        reservedBytes -= bytes;
    }

    /** A holder is used no longer. */
    synchronized void idle(Holder holder)
    {
        while (dropOldest(clock.getAsLong() - IDLE.toNanos())) {
            // the next
        }
        idle.put(holder, clock.getAsLong());
    }

    /** A holder is used, and is not dropped from now on. */
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
