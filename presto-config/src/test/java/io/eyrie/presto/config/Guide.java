// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** The RaptorX user guide's lines. */
public final class Guide
{
    private Guide()
    {}

    public static Map<String, String> lines()
            throws IOException
    {
        Map<String, String> lines = CatalogFile.lines(Path.of("../presto-plugin/src/test/resources/raptorx-user-guide.properties"));
        assertThat(lines).hasSizeGreaterThan(25);
        return lines;
    }
}
