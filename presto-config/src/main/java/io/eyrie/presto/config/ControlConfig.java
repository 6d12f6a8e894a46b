// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.eyrie.cache.config.ConfigException;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The properties of the procedures that control the caches: who may call them, and where the coordinator stores their changes. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class ControlConfig
{
    private @Nullable String directory;
    private @Nullable String operators;

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

    public @Nullable String getOperators()
    {
        return operators;
    }

    @Config("cache.operators")
    @ConfigDescription("Users who may call the procedures of the schema system and warm_cache, if the connector's access control also lets them, separated by "
            + "commas. With a system access control of Presto, no one may call them unless this is set, because Presto does not ask it about them")
    public ControlConfig setOperators(@Nullable String operators)
    {
        this.operators = operators;
        return this;
    }

    /** Returns the users who may control the caches, if the property is set. */
    public Optional<Set<String>> operators()
    {
        return Optional.ofNullable(operators).map(users -> Stream.of(users.split(",", -1)).map(String::trim).collect(Collectors.toUnmodifiableSet()));
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
