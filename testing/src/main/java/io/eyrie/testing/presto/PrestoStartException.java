// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import org.jspecify.annotations.Nullable;

/** Thrown if a process of a cluster does not start or ends unexpectedly; the message contains the end of its log. */
public final class PrestoStartException
        extends RuntimeException
{
    private static final long serialVersionUID = 1;

    PrestoStartException(String message, @Nullable Throwable cause)
    {
        super(message, cause);
    }
}
