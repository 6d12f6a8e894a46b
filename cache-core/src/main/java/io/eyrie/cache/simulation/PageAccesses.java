// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.simulation;

import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.trace.TraceRecord;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static java.util.Objects.requireNonNull;

/**
 * The sequence of page accesses of a trace, as a simulation needs it.
 *
 * @param pages a number for each access that identifies the page; not copied
 * @param lengthBytes the length of the page of each access, positive; always the same for one page; not copied
 * @param warmUp how many of the first accesses only fill the cache: they are not lookups
 */
@SuppressWarnings("ArrayRecordComponent") // millions of elements, and no code compares two records
public record PageAccesses(long[] pages, int[] lengthBytes, int warmUp)
{
    /** Accesses that begin with an empty cache. */
    public PageAccesses(long[] pages, int[] lengthBytes)
    {
        this(pages, lengthBytes, 0);
    }

    public PageAccesses
    {
        requireNonNull(pages, "pages is null");
        requireNonNull(lengthBytes, "lengthBytes is null");
        if (pages.length != lengthBytes.length) {
            throw new IllegalArgumentException(pages.length + " pages, " + lengthBytes.length + " lengths");
        }
        if (warmUp < 0 || warmUp > pages.length) {
            throw new IllegalArgumentException(pages.length + " accesses, of which " + warmUp + " only fill the cache");
        }
    }

    public int count()
    {
        return pages.length;
    }

    /** Returns the number of accesses that are lookups. */
    public int lookups()
    {
        return pages.length - warmUp;
    }

    /** Returns the total length of the pages of all lookups. */
    public long lookupBytes()
    {
        return Arrays.stream(lengthBytes).skip(warmUp).asLongStream().sum();
    }

    /** The total length of all distinct pages: a larger cache serves no more. */
    public long footprintBytes()
    {
        Set<Long> seen = new HashSet<>();
        long bytes = 0;
        for (int i = 0; i < pages.length; i++) {
            if (seen.add(pages[i])) {
                bytes += lengthBytes[i];
            }
        }
        return bytes;
    }

    /**
     * Collects the accesses of traces, lookup by lookup. A page that was a hit when it was first looked up was cached before: the accesses begin with all of
     * these, the first looked up last. Not thread-safe.
     */
    public static final class Builder
    {
        private final Map<Page, Integer> numbers = new HashMap<>();
        private final LongStream.Builder pages = LongStream.builder();
        private final IntStream.Builder lengths = IntStream.builder();
        private final Deque<Page> cachedBefore = new ArrayDeque<>();

        // a page of another length is another page, of a cache with another page size
        private record Page(PageKey key, int lengthBytes)
        {}

        public Builder add(TraceRecord lookup)
        {
            Page page = new Page(lookup.page(), lookup.pageLengthBytes());
            if (lookup.outcome() == ReadOutcome.HIT && !numbers.containsKey(page)) {
                cachedBefore.push(page);
            }
            pages.add(numbers.computeIfAbsent(page, unused -> numbers.size()));
            lengths.add(lookup.pageLengthBytes());
            return this;
        }

        public PageAccesses build()
        {
            return new PageAccesses(
                    LongStream.concat(cachedBefore.stream().mapToLong(page -> numbers.getOrDefault(page, 0)), pages.build()).toArray(),
                    IntStream.concat(cachedBefore.stream().mapToInt(Page::lengthBytes), lengths.build()).toArray(),
                    cachedBefore.size());
        }
    }
}
