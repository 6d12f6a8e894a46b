package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import com.facebook.presto.hive.HiveClientConfig;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.metastore.files.FileListConfig;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EyrieFileListConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.of(
            "hive.file-status-cache-size", "7",
            "cache.open-partition-age", "5m",
            "cache.open-partition-path-pattern", "/hot/");

    @Test
    void recordedDefaults()
    {
        assertThat(build(Map.of())).usingRecursiveComparison().isEqualTo(new EyrieFileListConfig()
                .setMaxFiles(100_000_000)
                .setOpenPartitionAge(new Duration(1, HOURS))
                .setOpenPartitionPathPattern(null));
    }

    @Test
    void fullMapping()
    {
        assertThat(build(ALL_PROPERTIES)).usingRecursiveComparison().isEqualTo(configured());
    }

    @Test
    void everyPropertyIsInTheMappingAndHasItsRow()
    {
        assertThat(ConfigurationMetadata.getConfigurationMetadata(EyrieFileListConfig.class).getAttributes().values())
                .extracting(attribute -> attribute.getInjectionPoint().getProperty())
                .containsExactlyInAnyOrderElementsOf(ALL_PROPERTIES.keySet())
                .allMatch(property -> LayerProperties.find(property).isPresent());
    }

    @Test
    void asTheGuideMeansIt()
    {
        FileListConfig lists = new EyrieFileListConfig().fileLists(guide());
        assertThat(lists).isEqualTo(new FileListConfig(List.of("*"), Runtime.getRuntime().maxMemory() / 10, 100_000_000, java.time.Duration.ofHours(
                24),
                java.time.Duration.ofHours(1), Optional.empty()));
        assertThat(lists.keepsAny()).isTrue();
    }

    @Test
    void retainedSizeIsTheLimitInBytes()
    {
        FileListConfig lists = configured().fileLists(guide().setFileStatusCacheMaxRetainedSize(new DataSize(1, GIGABYTE)));
        assertThat(lists.bytes()).isEqualTo(1L << 30);
        assertThat(lists.files()).isEqualTo(7);
        assertThat(lists.openPaths().orElseThrow().pattern()).isEqualTo("/hot/");
    }

    @Test
    void tablesWithoutATimeAreSaidToBeOff()
    {
        assertThat(new EyrieFileListConfig().notice(new HiveClientConfig())).isEmpty();
        assertThat(new EyrieFileListConfig().notice(guide())).isEmpty();
        assertThat(new EyrieFileListConfig().notice(new HiveClientConfig().setFileStatusCacheTables("a.b")).orElseThrow())
                .contains("hive.file-status-cache-tables is a.b", "hive.file-status-cache-expire-time");
        assertThat(new EyrieFileListConfig().fileLists(new HiveClientConfig().setFileStatusCacheTables("a.b")).keepsAny()).isFalse();
    }

    @Test
    void limitsThatCannotBe()
    {
        assertThatThrownBy(() -> new EyrieFileListConfig().setMaxFiles(0).fileLists(guide()))
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("hive.file-status-cache-size is 0", "To fix: ");
        assertThatThrownBy(() -> new EyrieFileListConfig().setOpenPartitionPathPattern("(").fileLists(guide()))
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("cache.open-partition-path-pattern is (", "a regular expression",
                        "To fix: ");
    }

    private static HiveClientConfig guide()
    {
        return new HiveClientConfig().setFileStatusCacheTables("*").setFileStatusCacheExpireAfterWrite(new Duration(24, HOURS));
    }

    private static EyrieFileListConfig configured()
    {
        return new EyrieFileListConfig().setMaxFiles(7).setOpenPartitionAge(new Duration(5, MINUTES)).setOpenPartitionPathPattern("/hot/");
    }

    private static EyrieFileListConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(EyrieFileListConfig.class);
    }
}
