// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.files;

import java.io.Serial;

/** Thrown if a volume has too little free space for a cache to store anything; the message names the volume, the space and the fix. */
public final class FullDiskException
        extends RuntimeException
{
    @Serial
    private static final long serialVersionUID = 1;

    FullDiskException(String message)
    {
        super(message);
    }
}
