// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;

import static java.util.Objects.requireNonNull;

/**
 * One page lookup, with the arguments of {@link TraceListener#onLookup}.
 *
 * @param epochMillis time of the lookup
 */
public record TraceRecord(long epochMillis, PageKey page, PageTags tags, int pageLengthBytes, int offsetInPage, int lengthBytes, ReadOutcome outcome)
{
    public TraceRecord
    {
        requireNonNull(page, "page is null");
        requireNonNull(tags, "tags is null");
        requireNonNull(outcome, "outcome is null");
        if (pageLengthBytes < 1 || offsetInPage < 0 || lengthBytes < 0) {
            throw new IllegalArgumentException("no page of " + pageLengthBytes + " bytes has " + lengthBytes + " bytes at " + offsetInPage);
        }
    }
}
