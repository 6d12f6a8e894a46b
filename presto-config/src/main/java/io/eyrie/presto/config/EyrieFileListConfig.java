// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Properties of file lists that Presto's {@code HiveClientConfig} does not have. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class EyrieFileListConfig
{
    private static final String OPEN_PATHS = "cache.open-partition-path-pattern";

    private long maxFiles = 100_000_000;
    private Duration openPartitionAge = new Duration(1, TimeUnit.HOURS);
    private @Nullable String openPartitionPathPattern;
    private boolean listByPrefix = true;

    public long getMaxFiles()
    {
        return maxFiles;
    }

    @Config("hive.file-status-cache-size")
    @ConfigDescription("Maximum number of files in all cached file lists")
    public EyrieFileListConfig setMaxFiles(long maxFiles)
    {
        this.maxFiles = maxFiles;
        return this;
    }

    public Duration getOpenPartitionAge()
    {
        return openPartitionAge;
    }

    @Config("cache.open-partition-age")
    @ConfigDescription("Each query lists a directory whose newest file is younger than this")
    public EyrieFileListConfig setOpenPartitionAge(Duration openPartitionAge)
    {
        this.openPartitionAge = openPartitionAge;
        return this;
    }

    public @Nullable String getOpenPartitionPathPattern()
    {
        return openPartitionPathPattern;
    }

    @Config(OPEN_PATHS)
    @ConfigDescription("Regular expression; each query lists directories whose paths contain a match")
    public EyrieFileListConfig setOpenPartitionPathPattern(@Nullable String openPartitionPathPattern)
    {
        this.openPartitionPathPattern = openPartitionPathPattern;
        return this;
    }

    public boolean isListByPrefix()
    {
        return listByPrefix;
    }

    @Config("cache.list-by-prefix")
    @ConfigDescription("On S3, list many partitions of a table with one request if that takes fewer requests; off: list each separately, as Presto does")
    public EyrieFileListConfig setListByPrefix(boolean listByPrefix)
    {
        this.listByPrefix = listByPrefix;
        return this;
    }

    /**
     * Checks all properties.
     *
     * @throws ConfigException about the first property that is out of its range
     */
    public void validate()
    {
        if (maxFiles < 1) {
            throw new ConfigException("hive.file-status-cache-size", Long.toString(maxFiles), "it must be at least 1",
                    "use the default of 100000000, or set hive.file-status-cache-expire-time=0s to cache no list");
        }
        Optional<Pattern> unused = openPaths();
    }

    /**
     * Returns the pattern of {@code cache.open-partition-path-pattern}.
     *
     * @throws ConfigException if it is not a regular expression
     */
    public Optional<Pattern> openPaths()
    {
        try {
            return Optional.ofNullable(openPartitionPathPattern).map(Pattern::compile);
        }
        catch (PatternSyntaxException e) {
            throw new ConfigException(OPEN_PATHS, e.getPattern(), "it must be a regular expression: " + e.getDescription(), "correct it");
        }
    }
}
