package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.metastore.AbstractCachingHiveMetastore.MetastoreCacheScope;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.MetastoreCacheConfig;
import io.eyrie.metastore.MetastoreCacheConfig.Scope;
import io.eyrie.metastore.entry.EntryLimits;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static io.airlift.units.DataSize.succinctBytes;

/** The properties {@code cache.metastore.*} of a catalog; those of the RaptorX guide stay in Presto's {@link MetastoreClientConfig}. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class EyrieMetastoreConfig
{
    private static final int PART_OF_HEAP = 10;
    private static final Map<String, String> PROPERTIES = Map.of(
            "bytes", "cache.metastore.max-retained-size",
            "entries", "hive.metastore-cache-maximum-size",
            "age", "hive.metastore-cache-ttl",
            "statisticsAge", "cache.metastore.column-statistics-max-age");

    private DataSize maxRetainedSize = succinctBytes(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
    private Duration columnStatisticsMaxAge = new Duration(10, TimeUnit.MINUTES);

    private Duration grace = new Duration(0, TimeUnit.SECONDS);

    public DataSize getMaxRetainedSize()
    {
        return maxRetainedSize;
    }

    @Config("cache.metastore.max-retained-size")
    @ConfigDescription("The most memory that cached metadata takes, by estimate; a tenth of the heap unless set")
    public EyrieMetastoreConfig setMaxRetainedSize(DataSize maxRetainedSize)
    {
        this.maxRetainedSize = maxRetainedSize;
        return this;
    }

    public Duration getColumnStatisticsMaxAge()
    {
        return columnStatisticsMaxAge;
    }

    @Config("cache.metastore.column-statistics-max-age")
    @ConfigDescription("How old cached column statistics may be; a metastore tells no one when they change")
    public EyrieMetastoreConfig setColumnStatisticsMaxAge(Duration columnStatisticsMaxAge)
    {
        this.columnStatisticsMaxAge = columnStatisticsMaxAge;
        return this;
    }

    public Duration getGrace()
    {
        return grace;
    }

    @Config("cache.metastore.grace")
    @ConfigDescription("For how long cached metadata answers while the metastore cannot be asked whether it still holds; 0s: queries fail as without a cache")
    public EyrieMetastoreConfig setGrace(Duration grace)
    {
        this.grace = grace;
        return this;
    }

    /**
     * The settings of the metastore cache, checked; none where {@code hive.metastore-cache-ttl} is zero.
     *
     * @throws ConfigException about a property, by its name
     */
    public Optional<MetastoreCacheConfig> metastoreCache(MetastoreClientConfig presto)
    {
        long ttlMillis = presto.getMetastoreCacheTtl().toMillis();
        if (ttlMillis == 0) {
            return Optional.empty();
        }
        long refreshMillis = presto.getMetastoreRefreshInterval().toMillis();
        long ageMillis = refreshMillis == 0 ? ttlMillis : Math.min(ttlMillis, refreshMillis);
        EntryLimits limits = new EntryLimits(
                maxRetainedSize.toBytes(),
                presto.getMetastoreCacheMaximumSize(),
                java.time.Duration.ofMillis(ageMillis),
                java.time.Duration.ofMillis(Math.min(ageMillis, columnStatisticsMaxAge.toMillis())));
        try {
            limits.validate();
        }
        catch (ConfigException e) {
            throw new ConfigException(PROPERTIES.getOrDefault(e.key(), e.key()), e.value(), e.allowed(), e.fix());
        }
        return Optional.of(
                new MetastoreCacheConfig(
                        limits,
                        presto.getMetastoreCacheScope() == MetastoreCacheScope.ALL ? Scope.ALL : Scope.PARTITION,
                        presto.isPartitionVersioningEnabled(),
                        presto.isMetastoreImpersonationEnabled(),
                        java.time.Duration.ofMillis(grace.toMillis())));
    }
}
