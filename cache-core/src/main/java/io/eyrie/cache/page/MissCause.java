// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;

/** Why a page was not served to a reader from the store or from memory. */
public enum MissCause
{
    /** The page, or the requested range of it, was never cached, was dropped other than by eviction, or was evicted too long ago to be remembered. */
    NEVER_KEPT,
    /** The page was cached and then evicted to make room. */
    EVICTED,
    /** The page was cached and then evicted to make room, so recently that a store of twice the capacity would probably still have it. */
    EVICTED_LATELY,
    /** The page is cached, but the reader only measures what would be served. */
    DRY_RUN,
    /** The page is not cached, and the reader may not write to the cache. */
    NOT_KEPT_HERE,
    DENIED_BY_RULE,
    SEEN_ONCE,
    OVER_QUERY_BUDGET,
    OVER_DAILY_BUDGET,
    /**
     * Fetches used all of their memory or threads, or too many fetches of the file were running: the reader read the page, or a range of it, from the
     * remote store itself, and this range was not cached.
     */
    FETCH_BUSY,
    /** The page was fetched before, but the store or its writer did not accept it, for example because the write buffer was full. */
    NOT_WRITTEN,
    /** The disk of the page is out of service, or the store is closed. */
    OUT_OF_SERVICE,
    /** The store was overloaded. */
    BUSY,
    /** The stored bytes were not those of the page. */
    CORRUPT,
    /** The disk failed or did not answer in time. */
    DISK_ERROR;

    static MissCause of(Admission refusal)
    {
        return switch (refusal) {
            case ADMITTED -> NEVER_KEPT;
            case DENIED_BY_RULE -> DENIED_BY_RULE;
            case OVER_QUERY_BUDGET -> OVER_QUERY_BUDGET;
            case SEEN_ONCE -> SEEN_ONCE;
            case OVER_DAILY_BUDGET -> OVER_DAILY_BUDGET;
        };
    }
}
