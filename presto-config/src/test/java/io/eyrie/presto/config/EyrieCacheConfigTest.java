// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EyrieCacheConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.ofEntries(
            Map.entry("cache.enabled", "true"),
            Map.entry("cache.base-directory", "file:///mnt/flash1/data,/mnt/flash2/data"),
            Map.entry("cache.type", "ALLUXIO"),
            Map.entry("cache.max-cache-size", "1600GB"),
            Map.entry("cache.page-size", "512kB"),
            Map.entry("cache.min-free-space", "20GB"),
            Map.entry("cache.eviction-policy", "lru"),
            Map.entry("cache.ttl", "2d"),
            Map.entry("cache.disk-timeout", "5s"),
            Map.entry("cache.max-memory", "3GB"),
            Map.entry("cache.index-memory", "1GB"),
            Map.entry("cache.write-buffer", "64MB"),
            Map.entry("cache.fetch-memory", "512MB"),
            Map.entry("cache.encryption-key-file", "/etc/eyrie/key"),
            Map.entry("cache.encryption-key-variable", "EYRIE_KEY"),
            Map.entry("cache.previous-encryption-keys", "file:/etc/eyrie/old,env:OLDER"),
            Map.entry("cache.trace-directory", "/var/traces"),
            Map.entry("cache.trace-on-request", "true"));

    @Test
    void recordedDefaults()
    {
        assertThat(build(Map.of())).usingRecursiveComparison().isEqualTo(new EyrieCacheConfig()
                .setEnabled(false)
                .setBaseDirectory(null)
                .setType("EYRIE")
                .setMaxCacheSize(new DataSize(2, GIGABYTE))
                .setPageSize(new DataSize(1, MEGABYTE))
                .setMinFreeSpace(new DataSize(1, GIGABYTE))
                .setEvictionPolicy(EvictionKind.S3_FIFO)
                .setTtl(new Duration(0, MILLISECONDS))
                .setDiskTimeout(new Duration(2000, MILLISECONDS))
                .setMaxMemory(null)
                .setIndexMemory(new DataSize(256, MEGABYTE))
                .setWriteBuffer(new DataSize(128, MEGABYTE))
                .setFetchMemory(new DataSize(256, MEGABYTE))
                .setEncryptionKeyFile(null)
                .setEncryptionKeyVariable(null)
                .setPreviousEncryptionKeys(null)
                .setTraceDirectory(null)
                .setTraceOnRequest(false));
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
                .setMinFreeSpace(new DataSize(20, GIGABYTE))
                .setEvictionPolicy(EvictionKind.LRU)
                .setTtl(new Duration(2, DAYS))
                .setDiskTimeout(new Duration(5, SECONDS))
                .setMaxMemory(new DataSize(3, GIGABYTE))
                .setIndexMemory(new DataSize(1, GIGABYTE))
                .setWriteBuffer(new DataSize(64, MEGABYTE))
                .setFetchMemory(new DataSize(512, MEGABYTE))
                .setEncryptionKeyFile("/etc/eyrie/key")
                .setEncryptionKeyVariable("EYRIE_KEY")
                .setPreviousEncryptionKeys("file:/etc/eyrie/old,env:OLDER")
                .setTraceDirectory("/var/traces")
                .setTraceOnRequest(true));
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
                .setEvictionPolicy(EvictionKind.LRU)
                .setTtl(new Duration(2, DAYS))
                .setDiskTimeout(new Duration(3, SECONDS))
                .setIndexMemory(new DataSize(1, GIGABYTE))
                .setWriteBuffer(new DataSize(64, MEGABYTE))
                .setFetchMemory(new DataSize(512, MEGABYTE))
                .setEncryptionKeyVariable("EYRIE_KEY")
                .setPreviousEncryptionKeys("file:/etc/eyrie/old, env:OLDER")
                .setTraceDirectory("file:///var/traces")
                .pageCache(new EyrieAdmissionConfig().setDeny("hive.web.*").setQuotas("hive=5GB"));

        assertThat(config).isEqualTo(PageCacheConfig.builder()
                .baseDirectories(List.of(Path.of("/mnt/flash1/data"), Path.of("/mnt/flash2/data")))
                .capacityBytes(10L << 30)
                .pageSizeBytes(512 << 10)
                .minFreeSpaceBytes(3L << 30)
                .evictionPolicy(EvictionKind.LRU)
                .ttlMillis(172_800_000)
                .diskTimeoutMillis(3000)
                .indexMemoryBytes(1L << 30)
                .writeBufferBytes(64L << 20)
                .fetchMemoryBytes(512L << 20)
                .fetchThreads(config.fetchThreads())
                .encryptionKey(Optional.of("env:EYRIE_KEY"))
                .previousEncryptionKeys(List.of("file:/etc/eyrie/old", "env:OLDER"))
                .admission(config.admission())
                .quotas(Optional.of(Map.of(new Scope("hive", "", "", ""), 5L << 30)))
                .traceDirectory(Optional.of(Path.of("/var/traces")))
                .limitsWait(true)
                .build());
        assertThat(config.admission().deny()).extracting(TablePattern::toString).containsExactly("hive.web.*");
        assertThat(new EyrieCacheConfig().setBaseDirectory("/d").setEncryptionKeyFile("file:///k").pageCache(new EyrieAdmissionConfig())
                .encryptionKey())
                .contains("file:/k");
        assertThat(new EyrieCacheConfig().setBaseDirectory("/d").pageCache(new EyrieAdmissionConfig()))
                .isEqualTo(PageCacheConfig.builder().baseDirectories(List.of(Path.of("/d"))).fetchThreads(config.fetchThreads()).limitsWait(true)
                        .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"EYRIE", "eyrie", "ALLUXIO", "alluxio"})
    void namesOfTheOwnEngine(String type)
    {
        assertThat(new EyrieCacheConfig().setType(type).setBaseDirectory("/d").pageCache(new EyrieAdmissionConfig()).baseDirectories())
                .containsExactly(Path.of("/d"));
        assertThat(new EyrieCacheConfig().setType(type).isNamedAsInGuide()).isEqualTo(type.equalsIgnoreCase("ALLUXIO"));
        assertThat(new EyrieCacheConfig().setType(type).engine()).isEqualTo(CacheEngine.EYRIE);
    }

    @Test
    void engineOfAlluxiosClient()
    {
        EyrieCacheConfig config = new EyrieCacheConfig().setType("alluxio_client").setBaseDirectory("/d");
        assertThat(config.engine()).isEqualTo(CacheEngine.ALLUXIO_CLIENT);
        assertThat(config.isNamedAsInGuide()).isFalse();
        assertThat(config.pageCache(new EyrieAdmissionConfig()).baseDirectories()).containsExactly(Path.of("/d"));
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
                "cache.page-size is 100kB", "a power of two from 64kB to 16MB", "To fix: use the default of 1MB");
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setPageSize(new DataSize(8, GIGABYTE)), "cache.page-size is 8GB");
    }

    @Test
    void capacityBelowOnePage()
    {
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setMaxCacheSize(new DataSize(1, KILOBYTE)),
                "cache.max-cache-size is 1kB", "one page", "To fix: raise it to at least 1040kB");
    }

    @Test
    void twoPlacesOfTheKey()
    {
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setEncryptionKeyFile("/k").setEncryptionKeyVariable("K"),
                "cache.encryption-key-file is /k", "cache.encryption-key-variable is also set", "To fix: keep one of the two");
    }

    @Test
    void memoryThatIsTooSmall()
    {
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setIndexMemory(new DataSize(1, KILOBYTE)),
                "cache.index-memory is 1kB",
                "To fix: raise it");
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setWriteBuffer(new DataSize(1, MEGABYTE)),
                "cache.write-buffer is 1MB", "one fetch", "To fix: raise it");
        assertRefused(new EyrieCacheConfig().setBaseDirectory("/d").setFetchMemory(new DataSize(1, MEGABYTE)),
                "cache.fetch-memory is 1MB", "one fetch", "To fix: raise it");
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
        assertThatThrownBy(() -> config.pageCache(new EyrieAdmissionConfig())).isInstanceOf(ConfigException.class).hasMessageContainingAll(parts);
    }
}
