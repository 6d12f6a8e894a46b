// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

/** The reason why a recording was abandoned, or a complete result was not stored. */
public enum Abandonment
{
    /** The reader stopped before the end: LIMIT, a failure, a canceled query. */
    CLOSED_EARLY,
    TOO_MANY_ROWS,
    TOO_MANY_BYTES,
    /** Its pages together are too large in memory. */
    TOO_MANY_DECODED_BYTES,
    TOO_LONG,
    /** All recordings and served results together held too much memory. */
    IN_FLIGHT,
    /**
     * A large result, requested for the first time. Only its second recording is stored, so that a result that is never requested again costs its
     * query little.
     */
    LARGE_AND_NEW,
    /** The result is nearly as large as its input, and cheap to compute again. */
    NOT_WORTH_IT,
}
