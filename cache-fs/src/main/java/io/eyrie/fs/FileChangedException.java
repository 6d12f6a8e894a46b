package io.eyrie.fs;

import org.apache.hadoop.fs.PathIOException;
import org.jspecify.annotations.Nullable;

import java.io.Serial;

/** A file is no longer what it was when it was opened. Nothing of the new version was given to the reader, nor cached. The cause is what the store's client threw, if it did. */
public final class FileChangedException
        extends PathIOException
{
    @Serial
    private static final long serialVersionUID = 1;

    FileChangedException(String path, String opened, String found, @Nullable Throwable cause)
    {
        super(path, "The file changed after it was opened: it was " + opened + ", and now is " + found + ". Open it again to read the new version.");
        if (cause != null) {
            initCause(cause);
        }
    }
}
