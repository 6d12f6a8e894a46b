// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The fetches of one file version that are running or not yet written. No two overlap. Used under the lock of {@link Fetches}. */
final class FileFetches
{
    private final TreeMap<Long, Fetch> byPosition = new TreeMap<>();
    private int running;

    /** The fetch that covers a byte, if any. */
    @Nullable
    Fetch covering(long position)
    {
        Map.Entry<Long, Fetch> entry = byPosition.floorEntry(position);
        return entry != null && entry.getValue().end() > position ? entry.getValue() : null;
    }

    /** The start of the first fetch that begins at or after a position; {@code Long.MAX_VALUE} if there is none. */
    long nextStart(long position)
    {
        Long next = byPosition.ceilingKey(position);
        return next == null ? Long.MAX_VALUE : next;
    }

    void add(Fetch fetch)
    {
        byPosition.put(fetch.position(), fetch);
        running++;
    }

    /** Records that a fetch has ended; its bytes are still available. */
    void landed()
    {
        running--;
    }

    void remove(Fetch fetch)
    {
        byPosition.remove(fetch.position(), fetch);
    }

    /** Removes fetches, so that readers no longer join them. */
    void removeIf(Predicate<Fetch> which)
    {
        byPosition.values().removeIf(which);
    }

    int running()
    {
        return running;
    }

    boolean isEmpty()
    {
        return byPosition.isEmpty() && running == 0;
    }
}
