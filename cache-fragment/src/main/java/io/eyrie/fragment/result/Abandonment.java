package io.eyrie.fragment.result;

/** Why a recording was given up, or a whole one not kept. */
public enum Abandonment
{
    /** The reader went before the end: LIMIT, a failure, a cancelled query. */
    CLOSED_EARLY,
    TOO_MANY_ROWS,
    TOO_MANY_BYTES,
    /** Its pages together are too large in memory. */
    TOO_MANY_DECODED_BYTES,
    TOO_LONG,
    /** All recordings together held too much. */
    IN_FLIGHT,
    /** Large, and asked for once: the second recording is kept, so that what never comes again costs its query little. */
    LARGE_AND_NEW,
    /** Nearly as large as its input, and soon made again. */
    NOT_WORTH_IT,
}
