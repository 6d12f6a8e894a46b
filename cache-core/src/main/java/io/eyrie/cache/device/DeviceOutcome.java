package io.eyrie.cache.device;

/** How an operation on a {@link Device} ended. Anything but {@link #OK} leaves the cache without what was asked for, and nothing else. */
public enum DeviceOutcome
{
    OK,
    /** The file ends before the last byte that was asked for. */
    END_OF_FILE,
    /** The calling thread is interrupted, and stays so. Of a write, any part may have happened. */
    INTERRUPTED,
    /** The file was closed by its owner. */
    CLOSED,
    /** There is no such file or directory, or no longer the one that was opened. */
    MISSING,
    /** This process may not. */
    DENIED,
    /** It is a link, or another user may change it: see {@link OwnPaths}. */
    UNSAFE,
    /** The disk, or the quota on it, is full. Of a write, any part may have happened. */
    NO_SPACE,
    READ_ONLY,
    /** It does not end. */
    HUNG,
    /** Any other failure. Of a write, any part may have happened. */
    IO_ERROR,
}
