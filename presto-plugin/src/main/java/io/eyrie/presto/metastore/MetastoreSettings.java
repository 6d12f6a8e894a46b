// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.metastore.AbstractCachingHiveMetastore.MetastoreCacheScope;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.MetastoreCacheConfig;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.presto.config.EyrieMetastoreConfig;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Derives the settings of the metastore cache from Presto's properties and ours. */
final class MetastoreSettings
{
    private static final Map<String, String> PROPERTIES = Map.of(
            "bytes", "cache.metastore.max-retained-size",
            "entries", "hive.metastore-cache-maximum-size",
            "age", "hive.metastore-cache-ttl",
            "statisticsAge", "cache.metastore.column-statistics-max-age");

    private MetastoreSettings()
    {}

    /**
     * Returns the validated settings; empty if {@code hive.metastore-cache-ttl} is zero.
     *
     * @param bytes maximum memory for metadata
     * @throws ConfigException that names the invalid property
     */
    static Optional<MetastoreCacheConfig> of(EyrieMetastoreConfig config, MetastoreClientConfig presto, long bytes)
    {
        long ttlMillis = presto.getMetastoreCacheTtl().toMillis();
        if (ttlMillis == 0) {
            return Optional.empty();
        }
        config.validate();
        long refreshMillis = presto.getMetastoreRefreshInterval().toMillis();
        long ageMillis = refreshMillis == 0 ? ttlMillis : Math.min(ttlMillis, refreshMillis);
        EntryLimits limits = new EntryLimits(
                bytes,
                presto.getMetastoreCacheMaximumSize(),
                Duration.ofMillis(ageMillis),
                Duration.ofMillis(Math.min(ageMillis, config.getColumnStatisticsMaxAge().toMillis())));
        try {
            limits.validate();
        }
        catch (ConfigException e) {
            throw new ConfigException(PROPERTIES.getOrDefault(e.key(), e.key()), e.value(), e.allowed(), e.fix());
        }
        return Optional.of(
                new MetastoreCacheConfig(
                        limits,
                        presto.getMetastoreCacheScope() == MetastoreCacheScope.ALL ? CachedKinds.ALL : CachedKinds.PARTITION,
                        presto.isPartitionVersioningEnabled(),
                        presto.isMetastoreImpersonationEnabled(),
                        Duration.ofMillis(config.getGrace().toMillis())));
    }
}
