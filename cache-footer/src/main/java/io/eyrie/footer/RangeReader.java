// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import java.io.IOException;

/** Reads ranges of a file that is open. */
public interface RangeReader
{
    void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException;
}
