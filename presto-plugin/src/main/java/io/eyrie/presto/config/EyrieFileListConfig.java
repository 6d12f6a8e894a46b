package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import com.facebook.presto.hive.HiveClientConfig;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.files.FileListConfig;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The properties of the file lists that Presto's {@link HiveClientConfig} does not have. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class EyrieFileListConfig
{
    private static final String OPEN_PATHS = "cache.open-partition-path-pattern";
    private static final int PART_OF_HEAP = 10;
    private static final Map<String, String> PROPERTIES = Map.of(
            "bytes", "hive.file-status-cache.max-retained-size",
            "files", "hive.file-status-cache-size",
            "age", "hive.file-status-cache-expire-time",
            "openAge", "cache.open-partition-age");

    private long maxFiles = 100_000_000;
    private Duration openPartitionAge = new Duration(1, TimeUnit.HOURS);
    private @Nullable String openPartitionPathPattern;

    public long getMaxFiles()
    {
        return maxFiles;
    }

    @Config("hive.file-status-cache-size")
    @ConfigDescription("The most files in all cached lists")
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
    @ConfigDescription("A directory whose newest file is younger is listed by each query")
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
    @ConfigDescription("A regular expression; directories in whose paths it finds a match are listed by each query")
    public EyrieFileListConfig setOpenPartitionPathPattern(@Nullable String openPartitionPathPattern)
    {
        this.openPartitionPathPattern = openPartitionPathPattern;
        return this;
    }

    /**
     * The settings of the file lists, checked.
     *
     * @throws ConfigException about a property, by its name
     */
    public FileListConfig fileLists(HiveClientConfig presto)
    {
        long retained = presto.getFileStatusCacheMaxRetainedSize().toBytes();
        FileListConfig config = new FileListConfig(
                presto.getFileStatusCacheTables().stream().map(String::trim).toList(),
                retained == 0 ? Runtime.getRuntime().maxMemory() / PART_OF_HEAP : retained,
                maxFiles,
                java.time.Duration.ofMillis(presto.getFileStatusCacheExpireAfterWrite().toMillis()),
                java.time.Duration.ofMillis(openPartitionAge.toMillis()),
                openPaths());
        try {
            config.validate();
        }
        catch (ConfigException e) {
            throw new ConfigException(PROPERTIES.getOrDefault(e.key(), e.key()), e.value(), e.allowed(), e.fix());
        }
        return config;
    }

    /** What to tell the operator who names tables and no time; Presto's default of it, zero, keeps nothing. */
    public Optional<String> notice(HiveClientConfig presto)
    {
        List<String> tables = presto.getFileStatusCacheTables();
        if (tables.isEmpty() || presto.getFileStatusCacheExpireAfterWrite().toMillis() > 0) {
            return Optional.empty();
        }
        return Optional.of("no file list is kept: hive.file-status-cache-tables is " + String.join(",", tables)
                + ", and hive.file-status-cache-expire-time is zero");
    }

    private Optional<Pattern> openPaths()
    {
        try {
            return Optional.ofNullable(openPartitionPathPattern).map(Pattern::compile);
        }
        catch (PatternSyntaxException e) {
            throw new ConfigException(OPEN_PATHS, e.getPattern(), "it must be a regular expression: " + e.getDescription(), "correct it");
        }
    }
}
