package io.eyrie.cache.disk;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** A directory that somebody else works on. */
final class DirectoryOwnedException
        extends IOException
{
    @Serial
    private static final long serialVersionUID = 1;

    private final String owner;

    DirectoryOwnedException(Path directory, String owner)
    {
        super(directory + " is in use by " + owner);
        this.owner = owner;
    }

    String owner()
    {
        return owner;
    }
}
