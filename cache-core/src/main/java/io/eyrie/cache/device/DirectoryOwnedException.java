// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.Path;

/** Reports that a directory has another owner. */
public final class DirectoryOwnedException
        extends IOException
{
    @Serial
    private static final long serialVersionUID = 1;

    private final String owner;

    public DirectoryOwnedException(Path directory, String owner)
    {
        super(directory + " is in use by " + owner);
        this.owner = owner;
    }

    /** The owner, in words for a log or an error. */
    public String owner()
    {
        return owner;
    }
}
