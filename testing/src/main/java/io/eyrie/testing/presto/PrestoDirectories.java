// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The directories of a cluster. */
final class PrestoDirectories
{
    private PrestoDirectories()
    {}

    /** Creates {@code directory} with a link to each plugin folder, for use as Presto's {@code plugin.dir}. */
    static void linkPlugins(Path directory, Map<String, Path> plugins)
    {
        try {
            Files.createDirectories(directory);
            for (Map.Entry<String, Path> plugin : plugins.entrySet()) {
                if (!Files.isDirectory(plugin.getValue())) {
                    throw new IllegalArgumentException(String.format(Locale.ROOT, "Plugin folder of %s is missing: %s (is its module built?)", plugin
                            .getKey(), plugin.getValue()));
                }
                Files.createSymbolicLink(directory.resolve(plugin.getKey()), plugin.getValue().toAbsolutePath());
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
