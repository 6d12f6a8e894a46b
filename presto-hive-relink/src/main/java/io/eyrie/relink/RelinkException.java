// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

/** Thrown if the jar does not match the plan; the message names the expected and the actual content. */
public final class RelinkException
        extends RuntimeException
{
    RelinkException(String message)
    {
        super(message);
    }
}
