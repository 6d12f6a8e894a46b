// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.client;

import java.sql.SQLException;

/** Thrown if the engine refuses or fails a query; the message is the engine's. */
public final class QueryFailedException
        extends RuntimeException
{
    private static final long serialVersionUID = 1;

    private final int errorCode;

    public QueryFailedException(String sql, SQLException cause)
    {
        super(cause.getMessage() + "\n  in: " + sql.strip(), cause);
        this.errorCode = cause.getErrorCode();
    }

    /** Returns Presto's error code, or 0 if the query did not cause the failure (no connection). */
    public int errorCode()
    {
        return errorCode;
    }
}
