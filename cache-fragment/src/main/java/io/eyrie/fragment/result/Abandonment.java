// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

/** The reason why a recording was abandoned, or a complete result was not stored. */
public enum Abandonment
{
    /** The reader stopped before the end: LIMIT, a failure, a canceled query. */
    CLOSED_EARLY("not read to the end"),
    TOO_MANY_ROWS("too many rows"),
    TOO_MANY_BYTES("too many bytes"),
    TOO_MANY_DECODED_BYTES("too large in memory"),
    TOO_LONG("recording took too long"),
    IN_FLIGHT("recorded and served results together held too much memory"),
    /**
     * A large result, requested for the first time. Only its second recording is stored, so that a result that is never requested again costs its
     * query little.
     */
    LARGE_AND_NEW("large, and computed for the first time"),
    NOT_WORTH_IT("nearly as large as the input, and cheap to compute again");

    private final String description;

    Abandonment(String description)
    {
        this.description = description;
    }

    public String description()
    {
        return description;
    }

    /** Whether another recording of the same result would end in the same way. */
    boolean isFinal()
    {
        return switch (this) {
            case TOO_MANY_ROWS, TOO_MANY_BYTES, TOO_MANY_DECODED_BYTES, NOT_WORTH_IT -> true;
            case CLOSED_EARLY, TOO_LONG, IN_FLIGHT, LARGE_AND_NEW -> false;
        };
    }
}
