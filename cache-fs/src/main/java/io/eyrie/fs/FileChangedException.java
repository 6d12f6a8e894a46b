// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.fs.PathIOException;
import org.jspecify.annotations.Nullable;

import java.io.Serial;

/**
 * Thrown when a file changed after it was opened. No data of the new version was returned to the reader or cached. The cause is the exception of the
 * store's client, if it threw one.
 */
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
