// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

/** The decision whether to cache something, with the reason for a refusal. */
public enum Admission
{
    ADMITTED,
    /** A rule for its table denies it, or there are rules that allow and none is for its table. */
    DENIED_BY_RULE,
    /** The query has used up its write budget. */
    OVER_QUERY_BUDGET,
    /** It was not requested recently; it is cached if it is requested again soon. */
    SEEN_ONCE,
    /** The daily write budget of the disks is used up. */
    OVER_DAILY_BUDGET,
}
