package io.eyrie.cache.admission;

/** Whether something is kept, and if not, why. */
public enum Admission
{
    ADMITTED,
    /** A rule for its table denies it, or there are rules that allow and none is for its table. */
    DENIED_BY_RULE,
    /** The query has used up what it may write. */
    OVER_QUERY_BUDGET,
    /** It was not asked for lately; the next time it will be kept. */
    SEEN_ONCE,
    /** The disks have got as many bytes in a day as they may. */
    OVER_DAILY_BUDGET,
}
