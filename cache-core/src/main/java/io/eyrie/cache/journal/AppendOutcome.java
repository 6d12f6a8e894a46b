package io.eyrie.cache.journal;

/** What became of a record handed to a {@link Journal}. */
public enum AppendOutcome
{
    ACCEPTED,
    /** The buffer is full: the disk is slower than the records come. */
    FULL,
    /** The disk fails at present. */
    DEVICE_ERROR,
    CLOSED,
}
