package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import com.facebook.airlift.configuration.LegacyConfig;
import io.airlift.units.DataSize;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import static io.airlift.units.DataSize.succinctBytes;

/** The properties {@code cache.*} of a catalog, mapped onto {@link PageCacheConfig}, which holds their defaults. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class EyrieCacheConfig
{
    private static final PageCacheConfig DEFAULTS = PageCacheConfig.builder().build();
    private static final String OWN_ENGINE_IN_THE_GUIDE = "ALLUXIO";
    private static final Map<String, String> PROPERTIES = Map.of(
            "baseDirectories", "cache.base-directory",
            "capacityBytes", "cache.max-cache-size",
            "pageSizeBytes", "cache.page-size",
            "minFreeSpaceBytes", "cache.min-free-space");

    private boolean enabled;
    private @Nullable String baseDirectory;
    private String type = CacheEngine.EYRIE.name();
    private DataSize maxCacheSize = succinctBytes(DEFAULTS.capacityBytes());
    private DataSize pageSize = succinctBytes(DEFAULTS.pageSizeBytes());
    private DataSize minFreeSpace = succinctBytes(DEFAULTS.minFreeSpaceBytes());

    public boolean isEnabled()
    {
        return enabled;
    }

    @Config("cache.enabled")
    @ConfigDescription("Keep pages of remote files on local disks")
    public EyrieCacheConfig setEnabled(boolean enabled)
    {
        this.enabled = enabled;
        return this;
    }

    public @Nullable String getBaseDirectory()
    {
        return baseDirectory;
    }

    @Config("cache.base-directory")
    @ConfigDescription("Local directories for the pages, one a disk: file: URIs or absolute paths with commas between them")
    public EyrieCacheConfig setBaseDirectory(@Nullable String baseDirectory)
    {
        this.baseDirectory = baseDirectory;
        return this;
    }

    public String getType()
    {
        return type;
    }

    @Config("cache.type")
    @ConfigDescription("EYRIE; ALLUXIO, as RaptorX's users have it, is the same; ALLUXIO_CLIENT is Alluxio's client cache")
    public EyrieCacheConfig setType(String type)
    {
        this.type = type;
        return this;
    }

    public DataSize getMaxCacheSize()
    {
        return maxCacheSize;
    }

    @Config("cache.max-cache-size")
    @LegacyConfig("cache.alluxio.max-cache-size")
    @ConfigDescription("The most disk space that pages take, over all directories")
    public EyrieCacheConfig setMaxCacheSize(DataSize maxCacheSize)
    {
        this.maxCacheSize = maxCacheSize;
        return this;
    }

    public DataSize getPageSize()
    {
        return pageSize;
    }

    @Config("cache.page-size")
    @ConfigDescription("The unit of caching, a power of two; another value than before drops what was cached")
    public EyrieCacheConfig setPageSize(DataSize pageSize)
    {
        this.pageSize = pageSize;
        return this;
    }

    public DataSize getMinFreeSpace()
    {
        return minFreeSpace;
    }

    @Config("cache.min-free-space")
    @ConfigDescription("What pages leave free on the volume of each directory")
    public EyrieCacheConfig setMinFreeSpace(DataSize minFreeSpace)
    {
        this.minFreeSpace = minFreeSpace;
        return this;
    }

    /** Whether the engine is named as in RaptorX's guide, which meant Alluxio's client by it. */
    public boolean isNamedAsInGuide()
    {
        return OWN_ENGINE_IN_THE_GUIDE.equals(engineName());
    }

    /**
     * The settings of the page cache, checked.
     *
     * @throws ConfigException about a property, by the name that the operator gave it
     */
    public PageCacheConfig pageCache()
    {
        engine();
        PageCacheConfig config = PageCacheConfig.builder()
                .baseDirectories(baseDirectory == null ? List.of() : PropertyType.directories(baseDirectory))
                .capacityBytes(maxCacheSize.toBytes())
                .pageSizeBytes((int) Math.min(pageSize.toBytes(), Integer.MAX_VALUE))
                .minFreeSpaceBytes(minFreeSpace.toBytes())
                .build();
        try {
            config.validate();
        }
        catch (ConfigException e) {
            throw inOperatorsTerms(new ConfigException(e.key(), asWritten(e.key(), e.value()), e.allowed(), e.fix()));
        }
        return config;
    }

    private String asWritten(String key, String value)
    {
        return switch (key) {
            case "capacityBytes" -> maxCacheSize + " (" + value + " bytes)";
            case "pageSizeBytes" -> pageSize + " (" + value + " bytes)";
            case "minFreeSpaceBytes" -> minFreeSpace + " (" + value + " bytes)";
            default -> value;
        };
    }

    /** A complaint of the cache itself, about the property that it comes from; one that is about properties is given back as is. */
    public static ConfigException inOperatorsTerms(ConfigException complaint)
    {
        String property = PROPERTIES.get(complaint.key());
        return property == null ? complaint : new ConfigException(property, complaint.value(), complaint.allowed(), complaint.fix());
    }

    /**
     * Whose cache keeps the pages.
     *
     * @throws ConfigException if the type names none
     */
    public CacheEngine engine()
    {
        if (isNamedAsInGuide()) {
            return CacheEngine.EYRIE;
        }
        return Stream.of(CacheEngine.values())
                .filter(engine -> engine.name().equals(engineName()))
                .findFirst()
                .orElseThrow(() -> new ConfigException(
                        "cache.type",
                        type,
                        "allowed are EYRIE, ALLUXIO, which names the same, and ALLUXIO_CLIENT",
                        "set cache.type=EYRIE"));
    }

    private String engineName()
    {
        return type.toUpperCase(Locale.ROOT);
    }
}
