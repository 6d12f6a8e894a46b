package io.eyrie.testing.link;

import static java.util.Objects.requireNonNull;

/**
 * What goes wrong with a request.
 *
 * @param afterBytes how much of the response's body is passed on before
 */
public record LinkFault(Kind kind, long afterBytes)
{
    /** The ways to go wrong. */
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
        /** The connection is closed in the body, in order. */
        TRUNCATE,
        /** Nothing more comes, until the faults are changed or the link is closed. */
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
