package io.eyrie.cache.page;

import io.eyrie.cache.admission.Admission;

/** Why a page was not served to a reader from the store or from memory. */
public enum MissCause
{
    /** It, or the part that is wanted, was never kept, or so long ago that its eviction is forgotten. */
    NEVER_KEPT,
    /** It was kept, and left to make room. */
    EVICTED,
    /** It is there, and the reader only wants to know. */
    DRY_RUN,
    /** It is not there, and the reader may not write. */
    NOT_KEPT_HERE,
    DENIED_BY_RULE,
    SEEN_ONCE,
    OVER_QUERY_BUDGET,
    OVER_DAILY_BUDGET,
    /** Its disk is out of service, or the store has closed. */
    OUT_OF_SERVICE,
    /** The store had too much to do. */
    BUSY,
    /** What was there was not the page. */
    CORRUPT,
    /** Its disk failed or did not answer. */
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
