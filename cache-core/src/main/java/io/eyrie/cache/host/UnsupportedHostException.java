// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.host;

/** The host lacks a class or a member that Eyrie uses. The message names both. */
public final class UnsupportedHostException
        extends RuntimeException
{
    private static final long serialVersionUID = 1;

    public UnsupportedHostException(String message)
    {
        super(message);
    }

    UnsupportedHostException(String message, Exception cause)
    {
        super(message, cause);
    }
}
