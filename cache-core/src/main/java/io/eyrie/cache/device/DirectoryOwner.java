// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Who works on a directory, as far as this can be found out without touching its lock: from the note that its last owner left.
 *
 * @param words describes the owner to a person; empty if there never was one
 */
public record DirectoryOwner(State state, String words)
{
    /** The state of the last owner of a directory. */
    public enum State
    {
        /** The directory never had an owner. */
        NOBODY,
        RUNNING,
        ENDED,
        /** A process of another host or container, or one that left no note. */
        UNKNOWN,
    }

    /** Finds out who works on a directory. This does not disturb its owner, nor one that starts at the same time. */
    public static DirectoryOwner of(Path directory)
            throws IOException
    {
        return LocalLock.owner(directory);
    }

    /** Whether an owner may be changing the directory at the moment. */
    public boolean mayBeRunning()
    {
        return state == State.RUNNING || state == State.UNKNOWN;
    }
}
