// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import com.facebook.airlift.configuration.LegacyConfig;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.config.SettingText;
import io.eyrie.cache.policy.EvictionKind;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static io.airlift.units.DataSize.succinctBytes;

/** The properties {@code cache.*} of a catalog, mapped onto {@link PageCacheConfig}, which defines their defaults. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class EyrieCacheConfig
{
    private static final PageCacheConfig DEFAULTS = PageCacheConfig.builder().build();
    private static final String OWN_ENGINE_IN_THE_GUIDE = "ALLUXIO";
    private static final Map<String, String> PROPERTIES = Map.ofEntries(
            Map.entry("baseDirectories", "cache.base-directory"),
            Map.entry("capacityBytes", "cache.max-cache-size"),
            Map.entry("pageSizeBytes", "cache.page-size"),
            Map.entry("minFreeSpaceBytes", "cache.min-free-space"),
            Map.entry("evictionPolicy", "cache.eviction-policy"),
            Map.entry("ttlMillis", "cache.ttl"),
            Map.entry("diskTimeoutMillis", "cache.disk-timeout"),
            Map.entry("indexMemoryBytes", "cache.index-memory"),
            Map.entry("writeBufferBytes", "cache.write-buffer"),
            Map.entry("fetchMemoryBytes", "cache.fetch-memory"),
            Map.entry("encryptionKey", "cache.encryption-key-file or cache.encryption-key-variable"),
            Map.entry("previousEncryptionKeys", "cache.previous-encryption-keys"),
            Map.entry("admission", "cache.admission.*"),
            Map.entry("quotas", "cache.quotas"),
            Map.entry("defaultQuota", "cache.cache-quota-scope and cache.default-cache-quota"),
            Map.entry("traceDirectory", "cache.trace-directory"),
            Map.entry("traceOnRequest", "cache.trace-on-request"));

    private boolean enabled;
    private @Nullable String baseDirectory;
    private String type = CacheEngine.EYRIE.name();
    private DataSize maxCacheSize = succinctBytes(DEFAULTS.capacityBytes());
    private DataSize pageSize = succinctBytes(DEFAULTS.pageSizeBytes());
    private DataSize minFreeSpace = succinctBytes(DEFAULTS.minFreeSpaceBytes());
    private EvictionKind evictionPolicy = DEFAULTS.evictionPolicy();
    private Duration ttl = new Duration(DEFAULTS.ttlMillis(), TimeUnit.MILLISECONDS);
    private Duration diskTimeout = new Duration(DEFAULTS.diskTimeoutMillis(), TimeUnit.MILLISECONDS);
    private @Nullable DataSize maxMemory;
    private DataSize indexMemory = succinctBytes(DEFAULTS.indexMemoryBytes());
    private DataSize writeBuffer = succinctBytes(DEFAULTS.writeBufferBytes());
    private DataSize fetchMemory = succinctBytes(DEFAULTS.fetchMemoryBytes());
    private @Nullable String encryptionKeyFile;
    private @Nullable String encryptionKeyVariable;
    private @Nullable String previousEncryptionKeys;
    private @Nullable String traceDirectory;
    private boolean traceOnRequest;

    public boolean isEnabled()
    {
        return enabled;
    }

    @Config("cache.enabled")
    @ConfigDescription("Cache remote files on local disks, and turn on all layers that change neither an answer nor its freshness")
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
    @ConfigDescription("Local directories for the cache, one per disk: comma-separated file: URIs or absolute paths")
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
    @ConfigDescription("Cache engine: EYRIE; ALLUXIO, the value in RaptorX's guide, which also selects EYRIE; or ALLUXIO_CLIENT, Alluxio's client cache")
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
    @ConfigDescription("Maximum disk space of the cache, over all directories")
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
    @ConfigDescription("Unit of caching, a power of two; changing it drops all cached data")
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
    @ConfigDescription("Space that the cache leaves free on the volume of each directory")
    public EyrieCacheConfig setMinFreeSpace(DataSize minFreeSpace)
    {
        this.minFreeSpace = minFreeSpace;
        return this;
    }

    public EvictionKind getEvictionPolicy()
    {
        return evictionPolicy;
    }

    @Config("cache.eviction-policy")
    @ConfigDescription("Which pages are evicted to make room: LRU, or S3_FIFO, which a scan does not flush")
    public EyrieCacheConfig setEvictionPolicy(EvictionKind evictionPolicy)
    {
        this.evictionPolicy = evictionPolicy;
        return this;
    }

    public Duration getTtl()
    {
        return ttl;
    }

    @Config("cache.ttl")
    @ConfigDescription("Maximum time that a page is cached, across restarts; 0s: no limit")
    public EyrieCacheConfig setTtl(Duration ttl)
    {
        this.ttl = ttl;
        return this;
    }

    public Duration getDiskTimeout()
    {
        return diskTimeout;
    }

    @Config("cache.disk-timeout")
    @ConfigDescription("How long a reader waits for a disk; a disk that does not respond for ten times as long is taken out of service")
    public EyrieCacheConfig setDiskTimeout(Duration diskTimeout)
    {
        this.diskTimeout = diskTimeout;
        return this;
    }

    public @Nullable DataSize getMaxMemory()
    {
        return maxMemory;
    }

    @Config("cache.max-memory")
    @ConfigDescription("Maximum heap memory for all layers of the catalog together; if their limits exceed it, they are scaled down. 15 % of the heap unless set")
    public EyrieCacheConfig setMaxMemory(@Nullable DataSize maxMemory)
    {
        this.maxMemory = maxMemory;
        return this;
    }

    public DataSize getIndexMemory()
    {
        return indexMemory;
    }

    @Config("cache.index-memory")
    @ConfigDescription("Maximum heap memory for the index of all pages; when it is full, a new page evicts others")
    public EyrieCacheConfig setIndexMemory(DataSize indexMemory)
    {
        this.indexMemory = indexMemory;
        return this;
    }

    public DataSize getWriteBuffer()
    {
        return writeBuffer;
    }

    @Config("cache.write-buffer")
    @ConfigDescription("Maximum heap memory for pages waiting to be written; when it is full, further pages are not cached")
    public EyrieCacheConfig setWriteBuffer(DataSize writeBuffer)
    {
        this.writeBuffer = writeBuffer;
        return this;
    }

    public DataSize getFetchMemory()
    {
        return fetchMemory;
    }

    @Config("cache.fetch-memory")
    @ConfigDescription("Maximum heap memory for reads from the remote store into the cache; when it is full, a reader reads from the store itself, and nothing "
            + "of that read is cached")
    public EyrieCacheConfig setFetchMemory(DataSize fetchMemory)
    {
        this.fetchMemory = fetchMemory;
        return this;
    }

    public @Nullable String getEncryptionKeyFile()
    {
        return encryptionKeyFile;
    }

    @Config("cache.encryption-key-file")
    @ConfigDescription("File with the key that encrypts everything on the disks: 32 bytes, hexadecimal or base 64. Only its owner and groups of the process "
            + "may have access")
    public EyrieCacheConfig setEncryptionKeyFile(@Nullable String encryptionKeyFile)
    {
        this.encryptionKeyFile = encryptionKeyFile;
        return this;
    }

    public @Nullable String getEncryptionKeyVariable()
    {
        return encryptionKeyVariable;
    }

    @Config("cache.encryption-key-variable")
    @ConfigDescription("Environment variable with the encryption key, instead of a file")
    public EyrieCacheConfig setEncryptionKeyVariable(@Nullable String encryptionKeyVariable)
    {
        this.encryptionKeyVariable = encryptionKeyVariable;
        return this;
    }

    public @Nullable String getPreviousEncryptionKeys()
    {
        return previousEncryptionKeys;
    }

    @Config("cache.previous-encryption-keys")
    @ConfigDescription("Locations of previous encryption keys, file:PATH or env:NAME; data cached with them remains readable")
    public EyrieCacheConfig setPreviousEncryptionKeys(@Nullable String previousEncryptionKeys)
    {
        this.previousEncryptionKeys = previousEncryptionKeys;
        return this;
    }

    public @Nullable String getTraceDirectory()
    {
        return traceDirectory;
    }

    @Config("cache.trace-directory")
    @ConfigDescription("Directory for traces of all lookups, one file per start, for eyrie trace stats and eyrie simulate")
    public EyrieCacheConfig setTraceDirectory(@Nullable String traceDirectory)
    {
        this.traceDirectory = traceDirectory;
        return this;
    }

    public boolean isTraceOnRequest()
    {
        return traceOnRequest;
    }

    @Config("cache.trace-on-request")
    @ConfigDescription("Write traces only while system.record_cache_trace requests them")
    public EyrieCacheConfig setTraceOnRequest(boolean traceOnRequest)
    {
        this.traceOnRequest = traceOnRequest;
        return this;
    }

    /** Whether the engine has its name from RaptorX's guide, where it meant Alluxio's client. */
    public boolean isNamedAsInGuide()
    {
        return OWN_ENGINE_IN_THE_GUIDE.equals(engineName());
    }

    /**
     * Returns the settings of the page cache, checked.
     *
     * @throws ConfigException about a property, by the operator's name for it
     */
    public PageCacheConfig pageCache(EyrieAdmissionConfig admission)
    {
        engine();
        PageCacheConfig config = disks().toBuilder()
                .baseDirectories(directories())
                .capacityBytes(maxCacheSize.toBytes())
                .pageSizeBytes((int) Math.min(pageSize.toBytes(), Integer.MAX_VALUE))
                .evictionPolicy(evictionPolicy)
                .ttlMillis(ttl.toMillis())
                .indexMemoryBytes(indexMemory.toBytes())
                .writeBufferBytes(writeBuffer.toBytes())
                .fetchMemoryBytes(fetchMemory.toBytes())
                .fetchThreads(FetchThreads.of(Runtime.getRuntime().availableProcessors()))
                .admission(admission.admission())
                .quotas(admission.quotas())
                .defaultQuota(admission.defaultQuota())
                .traceDirectory(Optional.ofNullable(traceDirectory).map(directory -> PropertyType.directories(directory).get(0)))
                .traceOnRequest(traceOnRequest)
                .limitsWait(true)
                .build();
        try {
            config.validate();
        }
        catch (ConfigException e) {
            throw inOperatorsTerms(new ConfigException(e.key(), asWritten(e.key(), e.value()), e.allowed(), e.fix()));
        }
        return config;
    }

    /** Returns the directories of the cache; none if they are not set. */
    public List<Path> directories()
    {
        return baseDirectory == null ? List.of() : PropertyType.directories(baseDirectory);
    }

    /** Returns how disks are used, and whether and how everything on them is encrypted. */
    PageCacheConfig disks()
    {
        return PageCacheConfig.builder()
                .minFreeSpaceBytes(minFreeSpace.toBytes())
                .diskTimeoutMillis(diskTimeout.toMillis())
                .encryptionKey(encryptionKey())
                .previousEncryptionKeys(previousEncryptionKeys == null ? List.of() : PropertyType.keyPlaces(previousEncryptionKeys))
                .build();
    }

    private Optional<String> encryptionKey()
    {
        if (encryptionKeyFile != null && encryptionKeyVariable != null) {
            throw new ConfigException("cache.encryption-key-file", encryptionKeyFile, "cache.encryption-key-variable is also set",
                    "keep one of the two");
        }
        return encryptionKeyFile != null
                ? Optional.of("file:" + PropertyType.directories(encryptionKeyFile).get(0))
                : Optional.ofNullable(encryptionKeyVariable).map(name -> "env:" + name);
    }

    private String asWritten(String key, String value)
    {
        return switch (key) {
            case "capacityBytes" -> maxCacheSize.toString();
            case "pageSizeBytes" -> pageSize.toString();
            case "minFreeSpaceBytes" -> minFreeSpace.toString();
            case "indexMemoryBytes" -> indexMemory.toString();
            case "writeBufferBytes" -> writeBuffer.toString();
            case "fetchMemoryBytes" -> fetchMemory.toString();
            default -> SettingText.of(key, value);
        };
    }

    /** Translates an error about a setting of the page cache into one about its property; an error about a property is returned unchanged. */
    public static ConfigException inOperatorsTerms(ConfigException complaint)
    {
        String property = PROPERTIES.get(complaint.key());
        return property == null ? complaint : new ConfigException(property, complaint.value(), complaint.allowed(), complaint.fix());
    }

    /**
     * Returns the engine of the page cache.
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
                        "it must be EYRIE, ALLUXIO (the same as EYRIE) or ALLUXIO_CLIENT",
                        "set cache.type=EYRIE"));
    }

    private String engineName()
    {
        return type.toUpperCase(Locale.ROOT);
    }
}
