// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/** Thrown when the file was overwritten after it was listed. No bytes of the new version reach the query or the cache. */
public final class ListedFileChangedException
        extends IOException
{
    private static final long serialVersionUID = 1;

    ListedFileChangedException(Path path, @Nullable String found, @Nullable Throwable cause)
    {
        super("File " + path + " was overwritten after the query listed it; run the query again (" + found + ")", cause);
    }
}
