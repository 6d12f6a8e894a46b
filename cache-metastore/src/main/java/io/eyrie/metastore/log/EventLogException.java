// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import static java.util.Objects.requireNonNull;

/** The log could not be read. */
public final class EventLogException
        extends Exception
{
    private static final long serialVersionUID = 1L;

    /** Why the log could not be read. */
    public enum Reason
    {
        /** The metastore does not know the call. */
        REFUSED,
        /** The metastore has an internal error, or does not allow the call to this user: its answer is the same. */
        UNDECLARED,
        /** Anything else: the metastore or its database is down or slow. */
        FAILED,
    }

    private final Reason reason;

    public EventLogException(Reason reason, String message, Throwable cause)
    {
        super(message, cause);
        this.reason = requireNonNull(reason, "reason is null");
    }

    public Reason reason()
    {
        return reason;
    }
}
