// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the output of a command that runs until it is interrupted. */
public final class OutputLines
{
    private OutputLines()
    {}

    /**
     * Reads lines up to the first that contains {@code part}.
     *
     * @throws AssertionError with all lines if the output ends before
     */
    public static void await(BufferedReader lines, String part)
            throws IOException
    {
        List<String> seen = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            seen.add(line);
            if (line.contains(part)) {
                return;
            }
        }
        throw new AssertionError("The command ended without \"" + part + "\": " + seen);
    }
}
