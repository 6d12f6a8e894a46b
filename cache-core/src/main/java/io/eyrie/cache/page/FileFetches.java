package io.eyrie.cache.page;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The fetches of one file version that are on their way or not yet written. No two overlap. Used under the lock of {@link Fetches}. */
final class FileFetches
{
    private final TreeMap<Long, Fetch> byPosition = new TreeMap<>();
    private int running;

    /** The fetch that a byte is in, if any. */
    @Nullable
    Fetch covering(long position)
    {
        Map.Entry<Long, Fetch> entry = byPosition.floorEntry(position);
        return entry != null && entry.getValue().end() > position ? entry.getValue() : null;
    }

    /** Where the first fetch from a position on begins. */
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

    /** A fetch has ended; what it brought is still here. */
    void landed()
    {
        running--;
    }

    void remove(Fetch fetch)
    {
        byPosition.remove(fetch.position(), fetch);
    }

    /** Lets go of fetches, so that nobody joins them from now on. */
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
