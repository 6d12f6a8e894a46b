// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;

/** Receives each page lookup of readers. Readers call it concurrently; it does not block, allocate or throw. */
@FunctionalInterface
public interface TraceListener
{
    TraceListener NOOP = (page, tags, pageLengthBytes, offsetInPage, lengthBytes, outcome) -> {};

    /**
     * Called once the outcome is known, hits included.
     *
     * @param pageLengthBytes the length of the page: the page size, or less at the end of a file
     * @param lengthBytes the requested bytes of the page, from {@code offsetInPage} on
     */
    void onLookup(PageKey page, PageTags tags, int pageLengthBytes, int offsetInPage, int lengthBytes, ReadOutcome outcome);

    /** Records until a time, in milliseconds since the epoch, if this listener records on request; a past time ends the recording. */
    default void recordUntil(long endMillis)
    {}
}
