package io.eyrie.cache.device;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Who works on a directory, as far as that can be told without touching its lock: by what whoever took it last wrote down.
 *
 * @param words who, for a person; empty if nobody ever did
 */
public record DirectoryOwner(State state, String words)
{
    /** What is known of whoever took the directory last. */
    public enum State
    {
        /** Nobody ever took it. */
        NOBODY,
        RUNNING,
        ENDED,
        /** A process of another host or container, or one that left no name. */
        UNKNOWN,
    }

    /** Looks who works on a directory. Disturbs nobody, an owner that starts meanwhile included. */
    public static DirectoryOwner of(Path directory)
            throws IOException
    {
        return LocalLock.owner(directory);
    }

    /** Whether somebody may change the directory at the moment. */
    public boolean mayBeRunning()
    {
        return state == State.RUNNING || state == State.UNKNOWN;
    }
}
