package io.eyrie.cache.disk;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** A page file that is not what its name says: which, where, and what was expected instead. */
final class CorruptPageException
        extends IOException
{
    @Serial
    private static final long serialVersionUID = 1;

    CorruptPageException(Path file, long offset, String what, Object expected, Object actual)
    {
        super(file + " is corrupt at offset " + offset + ": " + what + " should be " + expected + ", is " + actual);
    }
}
