// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;

/** The properties {@code cache.metastore.*} of a catalog; those of the RaptorX guide remain in Presto's {@code MetastoreClientConfig}. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class EyrieMetastoreConfig
{
    private @Nullable DataSize maxRetainedSize;
    private Duration columnStatisticsMaxAge = new Duration(10, TimeUnit.MINUTES);
    private Duration grace = new Duration(0, TimeUnit.SECONDS);

    public @Nullable DataSize getMaxRetainedSize()
    {
        return maxRetainedSize;
    }

    @Config("cache.metastore.max-retained-size")
    @ConfigDescription("Maximum memory for cached metadata, estimated; a quarter of cache.max-memory unless set")
    public EyrieMetastoreConfig setMaxRetainedSize(@Nullable DataSize maxRetainedSize)
    {
        this.maxRetainedSize = maxRetainedSize;
        return this;
    }

    public Duration getColumnStatisticsMaxAge()
    {
        return columnStatisticsMaxAge;
    }

    @Config("cache.metastore.column-statistics-max-age")
    @ConfigDescription("Maximum age of cached column statistics; a metastore does not report their changes")
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
    @ConfigDescription("How long cached metadata is used while the metastore cannot be reached to validate it; 0s: queries fail as without a cache")
    public EyrieMetastoreConfig setGrace(Duration grace)
    {
        this.grace = grace;
        return this;
    }

    /**
     * Checks all properties.
     *
     * @throws ConfigException about the first property that is out of its range
     */
    public void validate()
    {
        if (maxRetainedSize != null && maxRetainedSize.toBytes() < 1) {
            throw new ConfigException("cache.metastore.max-retained-size", maxRetainedSize.toString(), "it must be at least 1B",
                    "remove the line, or set hive.metastore-cache-ttl=0s to cache nothing");
        }
        if (columnStatisticsMaxAge.toMillis() < 1) {
            throw new ConfigException("cache.metastore.column-statistics-max-age", columnStatisticsMaxAge.toString(), "it must be at least 1ms",
                    "use the default of 10m");
        }
    }
}
