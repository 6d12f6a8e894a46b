package io.eyrie.presto.filesystem;

import org.apache.hadoop.fs.Path;

import java.io.IOException;

/** The file was overwritten after it was listed. Nothing of the new version was read, and nothing was cached. */
public final class FileChangedException
        extends IOException
{
    private static final long serialVersionUID = 1;

    FileChangedException(Path path, Throwable cause)
    {
        super("File " + path + " was overwritten after the query listed it; run the query again (" + cause.getMessage() + ")", cause);
    }
}
