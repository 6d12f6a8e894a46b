package io.eyrie.cache.trace;

import io.eyrie.cache.page.PageKey;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static java.util.Objects.requireNonNull;

/**
 * Which pages were asked for, in their order: what a simulation needs of a trace.
 *
 * @param pages a number for each access that identifies the page; not copied
 * @param lengthBytes the length of the page of each access, positive; always the same for one page; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // millions of them, and nobody compares two
public record PageAccesses(long[] pages, int[] lengthBytes)
{
    public PageAccesses
    {
        requireNonNull(pages, "pages is null");
        requireNonNull(lengthBytes, "lengthBytes is null");
        if (pages.length != lengthBytes.length) {
            throw new IllegalArgumentException(pages.length + " pages, " + lengthBytes.length + " lengths");
        }
    }

    public int count()
    {
        return pages.length;
    }

    /** The sum of the lengths of all different pages: from here on a larger cache gains nothing. */
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

    /** Takes the accesses of traces, one lookup after the other. Not thread-safe. */
    public static final class Builder
    {
        private final Map<Page, Integer> numbers = new HashMap<>();
        private final LongStream.Builder pages = LongStream.builder();
        private final IntStream.Builder lengths = IntStream.builder();

        // a page of another length is another page, of a cache with another page size
        private record Page(PageKey key, int lengthBytes)
        {}

        public Builder add(TraceRecord lookup)
        {
            Page page = new Page(lookup.page(), lookup.pageLengthBytes());
            pages.add(numbers.computeIfAbsent(page, unused -> numbers.size()));
            lengths.add(lookup.pageLengthBytes());
            return this;
        }

        public PageAccesses build()
        {
            return new PageAccesses(pages.build().toArray(), lengths.build().toArray());
        }
    }
}
