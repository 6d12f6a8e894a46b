package io.eyrie.testing.presto;

import org.jspecify.annotations.Nullable;

/** A process of a cluster that did not come up or went away; the message holds the end of its log. */
public final class PrestoStartException
        extends RuntimeException
{
    private static final long serialVersionUID = 1;

    PrestoStartException(String message, @Nullable Throwable cause)
    {
        super(message, cause);
    }
}
