// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.io.IOException;
import java.io.Serial;

/** Reports a file or directory that Eyrie does not use, because another user could change it or choose where it leads. */
public final class UnsafePathException
        extends IOException
{
    @Serial
    private static final long serialVersionUID = 1;

    private final String problem;
    private final String fix;

    /**
     * @param problem the problem, a clause that names the path
     * @param fix what the operator can do, a clause without a period
     */
    UnsafePathException(String problem, String fix)
    {
        super(problem + ". To fix: " + fix + ".");
        this.problem = problem;
        this.fix = fix;
    }

    public String problem()
    {
        return problem;
    }

    public String fix()
    {
        return fix;
    }
}
