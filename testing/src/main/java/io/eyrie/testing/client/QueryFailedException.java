package io.eyrie.testing.client;

import java.sql.SQLException;

/** A query that the engine refused or failed; the message is the engine's. */
public final class QueryFailedException
        extends RuntimeException
{
    private static final long serialVersionUID = 1;

    private final int errorCode;

    QueryFailedException(String sql, SQLException cause)
    {
        super(cause.getMessage() + "\n  in: " + sql.strip(), cause);
        this.errorCode = cause.getErrorCode();
    }

    /** Presto's code of the error, 0 where the failure was not the query's (no connection). */
    public int errorCode()
    {
        return errorCode;
    }
}
