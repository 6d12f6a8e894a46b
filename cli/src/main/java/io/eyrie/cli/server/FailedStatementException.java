// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.ReportedException;

import static java.util.Objects.requireNonNull;

/** The error of a statement, as the coordinator reports it. */
final class FailedStatementException
        extends ReportedException
{
    private static final long serialVersionUID = 1;
    private static final String EXTERNAL = "EXTERNAL";

    private final String type;

    /** @param type Presto's type of the error, such as {@code USER_ERROR} */
    FailedStatementException(String message, String type)
    {
        super(message);
        this.type = requireNonNull(type, "type is null");
    }

    /** Returns whether something outside of Presto failed, such as the metastore. */
    boolean external()
    {
        return type.equals(EXTERNAL);
    }
}
