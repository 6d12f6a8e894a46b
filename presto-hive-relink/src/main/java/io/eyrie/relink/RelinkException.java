package io.eyrie.relink;

/** The jar is not what the plan was written for; the message says what was looked for and what was found. */
public final class RelinkException
        extends RuntimeException
{
    RelinkException(String message)
    {
        super(message);
    }
}
