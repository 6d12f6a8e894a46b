package io.eyrie.cache.trace;

import io.eyrie.cache.page.PageKey;
import io.eyrie.cache.page.PageTags;
import io.eyrie.cache.page.ReadOutcome;

/** Hears of each page that is looked up for a reader. Called by readers, concurrently: does not block, allocate or throw. */
@FunctionalInterface
public interface TraceListener
{
    TraceListener NOOP = (page, tags, pageLengthBytes, offsetInPage, lengthBytes, outcome) -> {};

    /**
     * Called once the outcome is known, hits included.
     *
     * @param pageLengthBytes the length of the page: the page size, or less at the end of a file
     * @param lengthBytes what the reader wants of the page, from {@code offsetInPage} on
     */
    void onLookup(PageKey page, PageTags tags, int pageLengthBytes, int offsetInPage, int lengthBytes, ReadOutcome outcome);

    /** Hears until a time, milliseconds since the epoch, if it hears only when it is told to; a time that is over ends that. */
    default void recordUntil(long endMillis)
    {}
}
