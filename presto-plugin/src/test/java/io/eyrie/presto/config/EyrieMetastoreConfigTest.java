package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.metastore.AbstractCachingHiveMetastore.MetastoreCacheScope;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.MetastoreCacheConfig;
import io.eyrie.metastore.MetastoreCacheConfig.Scope;
import io.eyrie.metastore.entry.EntryLimits;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.units.DataSize.succinctBytes;
import static io.airlift.units.DataSize.Unit.BYTE;
import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EyrieMetastoreConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.of(
            "cache.metastore.max-retained-size", "3GB",
            "cache.metastore.column-statistics-max-age", "1m",
            "cache.metastore.grace", "5m");

    @Test
    void recordedDefaults()
    {
        assertThat(build(Map.of())).usingRecursiveComparison().isEqualTo(new EyrieMetastoreConfig()
                .setMaxRetainedSize(succinctBytes(Runtime.getRuntime().maxMemory() / 10))
                .setColumnStatisticsMaxAge(new Duration(10, MINUTES))
                .setGrace(new Duration(0, SECONDS)));
    }

    @Test
    void fullMapping()
    {
        assertThat(build(ALL_PROPERTIES)).usingRecursiveComparison().isEqualTo(configured());
    }

    @Test
    void everyPropertyIsInTheMappingAndHasItsRow()
    {
        assertThat(ConfigurationMetadata.getConfigurationMetadata(EyrieMetastoreConfig.class).getAttributes().values())
                .extracting(attribute -> attribute.getInjectionPoint().getProperty())
                .containsExactlyInAnyOrderElementsOf(ALL_PROPERTIES.keySet())
                .allMatch(property -> LayerProperties.find(property).isPresent());
    }

    @Test
    void offWithoutATimeToLive()
    {
        assertThat(configured().metastoreCache(new MetastoreClientConfig())).isEmpty();
    }

    @Test
    void asTheGuideMeansIt()
    {
        MetastoreClientConfig guide = guide();
        assertThat(configured().metastoreCache(guide)).contains(new MetastoreCacheConfig(
                new EntryLimits(3L << 30, 10_000_000, java.time.Duration.ofDays(2), java.time.Duration.ofMinutes(1)), Scope.PARTITION, true, false,
                java.time.Duration.ofMinutes(5)));
        assertThat(configured().metastoreCache(guide.setMetastoreRefreshInterval(new Duration(1, DAYS))).orElseThrow().limits().age())
                .isEqualTo(java.time.Duration.ofDays(1));
    }

    @Test
    void statisticsAreNotOlderThanAnythingElse()
    {
        EntryLimits limits = configured().metastoreCache(guide().setMetastoreCacheTtl(new Duration(1, MILLISECONDS))).orElseThrow().limits();
        assertThat(limits.statisticsAge()).isEqualTo(java.time.Duration.ofMillis(1));
    }

    @Test
    void limitsThatCannotBe()
    {
        assertThatThrownBy(() -> configured().setMaxRetainedSize(new DataSize(0, BYTE)).metastoreCache(guide()))
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("cache.metastore.max-retained-size is 0", "at least 1", "To fix: ");
        assertThatThrownBy(() -> configured().setColumnStatisticsMaxAge(new Duration(0, MINUTES)).metastoreCache(guide()))
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("cache.metastore.column-statistics-max-age", "To fix: ");
    }

    private static EyrieMetastoreConfig configured()
    {
        return new EyrieMetastoreConfig().setMaxRetainedSize(new DataSize(3, GIGABYTE)).setColumnStatisticsMaxAge(new Duration(1, MINUTES)).setGrace(
                new Duration(5, MINUTES));
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

    private static EyrieMetastoreConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(EyrieMetastoreConfig.class);
    }
}
