// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

/** A failure whose message is sufficient for a user. */
public class ReportedException
        extends RuntimeException
{
    private static final long serialVersionUID = 1;

    public ReportedException(String message)
    {
        super(message);
    }
}
