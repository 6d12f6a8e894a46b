package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import io.airlift.units.DataSize;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EyrieCacheConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.of(
            "cache.enabled", "true",
            "cache.base-directory", "file:///mnt/flash1/data,/mnt/flash2/data",
            "cache.type", "ALLUXIO",
            "cache.max-cache-size", "1600GB",
            "cache.page-size", "512kB",
            "cache.min-free-space", "20GB");

    @Test
    void recordedDefaults()
    {
        assertThat(build(Map.of())).usingRecursiveComparison().isEqualTo(new EyrieCacheConfig()
                .setEnabled(false)
                .setBaseDirectory(null)
                .setType("EYRIE")
                .setMaxCacheSize(new DataSize(2, GIGABYTE))
                .setPageSize(new DataSize(1, MEGABYTE))
                .setMinFreeSpace(new DataSize(1, GIGABYTE)));
    }

    @Test
    void fullMapping()
    {
        assertThat(build(ALL_PROPERTIES)).usingRecursiveComparison().isEqualTo(new EyrieCacheConfig()
                .setEnabled(true)
                .setBaseDirectory("file:///mnt/flash1/data,/mnt/flash2/data")
                .setType("ALLUXIO")
                .setMaxCacheSize(new DataSize(1600, GIGABYTE))
                .setPageSize(new DataSize(512, KILOBYTE))
                .setMinFreeSpace(new DataSize(20, GIGABYTE)));
    }

    @Test
    void everyPropertyIsInTheMappingAndHasItsRow()
    {
        assertThat(ConfigurationMetadata.getConfigurationMetadata(EyrieCacheConfig.class).getAttributes().values())
                .extracting(attribute -> attribute.getInjectionPoint().getProperty())
                .containsExactlyInAnyOrderElementsOf(ALL_PROPERTIES.keySet())
                .allMatch(property -> LayerProperties.find(property).isPresent());
    }

    @Test
    void legacyNameOfTheCapacity()
    {
        assertThat(build(Map.of("cache.alluxio.max-cache-size", "1600GB"))).usingRecursiveComparison()
                .isEqualTo(build(Map.of("cache.max-cache-size", "1600GB")));
        assertThat(LayerProperties.find("cache.alluxio.max-cache-size")).isPresent();
    }

    @Test
    void pageCacheGetsWhatIsSetAndItsOwnDefaults()
    {
        PageCacheConfig config = new EyrieCacheConfig()
                .setBaseDirectory("file:///mnt/flash1/data, /mnt/flash2/data")
                .setMaxCacheSize(new DataSize(10, GIGABYTE))
                .setPageSize(new DataSize(512, KILOBYTE))
                .setMinFreeSpace(new DataSize(3, GIGABYTE))
                .pageCache();

        assertThat(config).isEqualTo(PageCacheConfig.builder()
                .baseDirectories(List.of(Path.of("/mnt/flash1/data"), Path.of("/mnt/flash2/data")))
                .capacityBytes(10L << 30)
                .pageSizeBytes(512 << 10)
                .minFreeSpaceBytes(3L << 30)
                .build());
        assertThat(new EyrieCacheConfig().setBaseDirectory("/d").pageCache())
                .isEqualTo(PageCacheConfig.builder().baseDirectories(List.of(Path.of("/d"))).build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"EYRIE", "eyrie", "ALLUXIO", "alluxio"})
    void namesOfTheOwnEngine(String type)
    {
        assertThat(new EyrieCacheConfig().setType(type).setBaseDirectory("/d").pageCache().baseDirectories()).containsExactly(Path.of("/d"));
        assertThat(new EyrieCacheConfig().setType(type).isNamedAsInGuide()).isEqualTo(type.equalsIgnoreCase("ALLUXIO"));
        assertThat(new EyrieCacheConfig().setType(type).engine()).isEqualTo(CacheEngine.EYRIE);
    }

    @Test
    void engineOfAlluxiosClient()
    {
        EyrieCacheConfig config = new EyrieCacheConfig().setType("alluxio_client").setBaseDirectory("/d");
        assertThat(config.engine()).isEqualTo(CacheEngine.ALLUXIO_CLIENT);
        assertThat(config.isNamedAsInGuide()).isFalse();
        assertThat(config.pageCache().baseDirectories()).containsExactly(Path.of("/d"));
    }

    @Test
    void engineThatDoesNotExist()
    {
        assertRefused(new EyrieCacheConfig().setType("FILE_MERGE"), "cache.type is FILE_MERGE", "EYRIE, ALLUXIO", "ALLUXIO_CLIENT",
                "cache.type=EYRIE");
    }

    @Test
    void enabledWithoutDirectory()
    {
        assertRefused(new EyrieCacheConfig().setEnabled(true), "cache.base-directory is empty", "at least one", "name a directory");
    }

    @Test
    void pageSizeThatIsNoPowerOfTwo()
    {
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setPageSize(new DataSize(100, KILOBYTE)),
                "cache.page-size is 100kB (102400 bytes)", "a power of two from 65536 to 16777216", "To fix: use the default of 1048576");
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setPageSize(new DataSize(8, GIGABYTE)), "cache.page-size is 8GB");
    }

    @Test
    void capacityBelowOnePage()
    {
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setMaxCacheSize(new DataSize(1, KILOBYTE)),
                "cache.max-cache-size is 1kB (1024 bytes)", "one page", "To fix: raise it to at least");
    }

    @Test
    void complaintsOfTheOpenedCacheAreNamedByProperty()
    {
        ConfigException complaint = new ConfigException("baseDirectories", "/mnt/gone", "it does not exist", "create it");

        assertThat(EyrieCacheConfig.inOperatorsTerms(complaint)).hasMessage(
                "cache.base-directory is /mnt/gone, but it does not exist. To fix: create it.");
    }

    private static EyrieCacheConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(EyrieCacheConfig.class);
    }

    private static void assertRefused(EyrieCacheConfig config, String... parts)
    {
        assertThatThrownBy(config::pageCache).isInstanceOf(ConfigException.class).hasMessageContainingAll(parts);
    }
}
