package io.eyrie.cli.console;

/** A failure whose message tells a user all that is to be told. */
public class ReportedException
        extends RuntimeException
{
    private static final long serialVersionUID = 1;

    public ReportedException(String message)
    {
        super(message);
    }
}
