// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import io.eyrie.cache.page.MissCause;

import java.util.Locale;

/** Why a layer did not serve a request. */
public enum MissReason
{
    /** Not requested before, as far as this node remembers. */
    NEVER_SEEN,
    /** It was cached, and was evicted to make room or because of its age. */
    EVICTED,
    /** Another version of the file was seen before. */
    OTHER_VERSION,
    /** Denied by {@code cache.admission.allow} and {@code deny}, or by an operator's rule. */
    DENIED_BY_RULE,
    /** {@code cache.admission.second-touch-pages}: the next request caches it. */
    SEEN_ONCE,
    /** {@code cache.admission.query-write-budget}. */
    OVER_QUERY_BUDGET,
    /** {@code cache.admission.daily-write-budget}. */
    OVER_DAILY_BUDGET,
    /** The split ran on a node that does not cache it. */
    NOT_PREFERRED_NODE,
    /** The session only reads the cache: {@code …_cache_mode=READ_ONLY}. */
    READ_ONLY,
    /** It was cached and would have been served: {@code …_cache_mode=DRY_RUN}. */
    DRY_RUN,
    /** The version of the file is not known, or is too young to be distinguished from the next. */
    NO_VERSION,
    /** The plan fragment contains a value of the clock that is specific to this query. */
    CLOCK,
    /** The fragment results being recorded and served occupied {@code fragment-result-cache.max-in-flight-size}. */
    OVER_MEMORY,
    /** The plan fragment has more expressions, or deeper or larger ones, than a fragment result's key may have. Counted by the coordinator, once per scan. */
    TOO_LARGE,
    /** The operator does not name the table in {@code hive.file-status-cache-tables}, or the directory is open. */
    NOT_SEALED,
    /** Nothing validates the cached metadata: the metastore's log could not be read, or the entry has no version. */
    NOT_VOUCHED_FOR,
    /** The page store or the disk was overloaded. */
    DISK_BUSY,
    /** The disk failed, or did not answer in time. */
    DISK_ERROR,
    DISK_OUT_OF_SERVICE,
    /** The data on the disk was not the expected data; it was dropped. */
    CORRUPT;

    /** Returns the name that tables show. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    public static MissReason of(MissCause cause)
    {
        return switch (cause) {
            case NEVER_KEPT -> NEVER_SEEN;
            case EVICTED -> EVICTED;
            case NOT_KEPT_HERE -> NOT_PREFERRED_NODE;
            case DRY_RUN -> DRY_RUN;
            case DENIED_BY_RULE -> DENIED_BY_RULE;
            case SEEN_ONCE -> SEEN_ONCE;
            case OVER_QUERY_BUDGET -> OVER_QUERY_BUDGET;
            case OVER_DAILY_BUDGET -> OVER_DAILY_BUDGET;
            case OUT_OF_SERVICE -> DISK_OUT_OF_SERVICE;
            case BUSY -> DISK_BUSY;
            case CORRUPT -> CORRUPT;
            case DISK_ERROR -> DISK_ERROR;
        };
    }
}
