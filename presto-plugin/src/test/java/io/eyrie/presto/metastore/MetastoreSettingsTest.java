// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.metastore.AbstractCachingHiveMetastore.MetastoreCacheScope;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.MetastoreCacheConfig;
import io.eyrie.metastore.MetastoreCacheConfig.CachedKinds;
import io.eyrie.metastore.entry.EntryLimits;
import io.eyrie.presto.config.EyrieMetastoreConfig;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MetastoreSettingsTest
{
    @Test
    void offWithoutATimeToLive()
    {
        assertThat(of(new MetastoreClientConfig())).isEmpty();
    }

    @Test
    void asTheGuideMeansIt()
    {
        MetastoreClientConfig guide = guide();
        assertThat(of(guide)).contains(new MetastoreCacheConfig(
                new EntryLimits(3L << 30, 10_000_000, java.time.Duration.ofDays(2), java.time.Duration.ofMinutes(1)), CachedKinds.PARTITION, true,
                false,
                java.time.Duration.ofMinutes(5)));
        assertThat(of(guide.setMetastoreRefreshInterval(new Duration(1, DAYS))).orElseThrow().limits().age())
                .isEqualTo(java.time.Duration.ofDays(1));
    }

    @Test
    void statisticsAreNotOlderThanAnythingElse()
    {
        EntryLimits limits = of(guide().setMetastoreCacheTtl(new Duration(1, MILLISECONDS))).orElseThrow().limits();
        assertThat(limits.statisticsAge()).isEqualTo(java.time.Duration.ofMillis(1));
    }

    @Test
    void limitsThatCannotBe()
    {
        assertThatThrownBy(() -> of(guide().setMetastoreCacheMaximumSize(0)))
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("hive.metastore-cache-maximum-size is 0", "at least 1", "To fix: ");
    }

    private static Optional<MetastoreCacheConfig> of(MetastoreClientConfig presto)
    {
        EyrieMetastoreConfig config = new EyrieMetastoreConfig().setColumnStatisticsMaxAge(new Duration(1, MINUTES)).setGrace(new Duration(5,
                MINUTES));
        return MetastoreSettings.of(config, presto, 3L << 30);
    }

    private static MetastoreClientConfig guide()
    {
        return new MetastoreClientConfig()
                .setMetastoreCacheTtl(new Duration(2, DAYS))
                .setMetastoreRefreshInterval(new Duration(3, DAYS))
                .setMetastoreCacheMaximumSize(10_000_000)
                .setMetastoreCacheScope(MetastoreCacheScope.PARTITION)
                .setPartitionVersioningEnabled(true);
    }
}
