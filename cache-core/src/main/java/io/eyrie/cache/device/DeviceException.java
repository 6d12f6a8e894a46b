// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.io.IOException;
import java.io.Serial;

/** Reports a failed operation on the path of a file or directory. Its outcome is the kind of failure. */
public final class DeviceException
        extends IOException
{
    @Serial
    private static final long serialVersionUID = 1;

    private final DeviceOutcome outcome;

    public DeviceException(DeviceOutcome outcome, String message)
    {
        super(message + ": " + outcome);
        this.outcome = outcome;
    }

    DeviceException(DeviceOutcome outcome, String message, IOException cause)
    {
        this(outcome, message);
        initCause(cause);
    }

    /** Never {@code OK}. */
    public DeviceOutcome outcome()
    {
        return outcome;
    }
}
