// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import static java.util.Objects.requireNonNull;

/**
 * A fault that the link injects into a request.
 *
 * @param afterBytes how many bytes of the response's body are forwarded before the fault
 */
public record LinkFault(Kind kind, long afterBytes)
{
    /** The kinds of faults. */
    public enum Kind
    {
        /** The connection is reset without an answer; the server sees nothing. */
        REFUSE,
        /** The answer is S3's 503 SlowDown; the server sees nothing. */
        UNAVAILABLE,
        /** The answer is S3's 403 AccessDenied; the server sees nothing. */
        DENIED,
        /** The connection is reset in the body. */
        RESET,
        /** The connection is closed in the body, by an orderly close. */
        TRUNCATE,
        /** No more bytes arrive until the faults are changed or the link is closed. */
        STALL
    }

    public static final LinkFault REFUSE = new LinkFault(Kind.REFUSE, 0);
    public static final LinkFault UNAVAILABLE = new LinkFault(Kind.UNAVAILABLE, 0);
    public static final LinkFault DENIED = new LinkFault(Kind.DENIED, 0);

    public LinkFault
    {
        requireNonNull(kind, "kind is null");
        if (afterBytes < 0) {
            throw new IllegalArgumentException("afterBytes is negative: " + afterBytes);
        }
    }

    public static LinkFault resetAfter(long bytes)
    {
        return new LinkFault(Kind.RESET, bytes);
    }

    public static LinkFault truncateAfter(long bytes)
    {
        return new LinkFault(Kind.TRUNCATE, bytes);
    }

    public static LinkFault stallAfter(long bytes)
    {
        return new LinkFault(Kind.STALL, bytes);
    }

    boolean sparesServer()
    {
        return kind == Kind.REFUSE || kind == Kind.UNAVAILABLE || kind == Kind.DENIED;
    }
}
