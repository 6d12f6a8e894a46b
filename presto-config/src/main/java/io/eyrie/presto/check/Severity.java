package io.eyrie.presto.check;

/** What a finding means for the operator. */
public enum Severity
{
    /** Presto does not start with it, or the cache does not do what the file says. */
    ERROR,
    /** It works, and is hardly what was meant. */
    WARNING,
    /** Good to know. */
    NOTE,
}
