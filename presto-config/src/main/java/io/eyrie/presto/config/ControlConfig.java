// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.eyrie.cache.config.ConfigException;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Optional;

/** The property {@code cache.control-directory}: where the coordinator stores operators' commands to the caches. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class ControlConfig
{
    private @Nullable String directory;

    public @Nullable String getDirectory()
    {
        return directory;
    }

    @Config("cache.control-directory")
    @ConfigDescription("Local directory in which the coordinator stores the changes made by procedures of the schema system")
    public ControlConfig setDirectory(@Nullable String directory)
    {
        this.directory = directory;
        return this;
    }

    /**
     * Returns the directory, if it is set.
     *
     * @throws ConfigException if it is not exactly one local directory
     */
    public Optional<Path> directory()
    {
        if (directory == null) {
            return Optional.empty();
        }
        if (!PropertyType.DIRECTORY.accepts(directory) || PropertyType.directories(directory).size() != 1) {
            throw new ConfigException("cache.control-directory", "'" + directory + "'",
                    "it must be one local directory: a file: URI or an absolute path",
                    "correct it or remove the line");
        }
        return Optional.of(PropertyType.directories(directory).get(0));
    }
}
