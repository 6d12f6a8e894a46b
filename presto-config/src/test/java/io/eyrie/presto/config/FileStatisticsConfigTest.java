// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import io.airlift.units.DataSize;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.presto.config.FileStatisticsConfig.StatisticsMode;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.KILOBYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FileStatisticsConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.of(
            "cache.file-statistics", "on",
            "cache.file-statistics.daily-requests", "1000",
            "cache.file-statistics.daily-size", "100MB");

    private static FileStatisticsConfig build(Map<String, String> properties)
    {
        FileStatisticsConfig config = new ConfigurationFactory(properties).build(FileStatisticsConfig.class);
        config.validate();
        return config;
    }

    @Test
    void recordedDefaults()
    {
        FileStatisticsConfig config = build(Map.of());
        assertThat(config.mode()).isEqualTo(StatisticsMode.BUDGETED);
        assertThat(config.getDailyRequests()).isEqualTo(50_000);
        assertThat(config.getDailySize()).isEqualTo(new DataSize(4, GIGABYTE));
    }

    @Test
    void fullMapping()
    {
        FileStatisticsConfig config = build(ALL_PROPERTIES);
        assertThat(config).usingRecursiveComparison()
                .isEqualTo(new FileStatisticsConfig().setMode("on").setDailyRequests(1000).setDailySize(new DataSize(100, MEGABYTE)));
        assertThat(config.mode()).isEqualTo(StatisticsMode.ON);
        assertThat(build(Map.of("cache.file-statistics", "OFF")).mode()).isEqualTo(StatisticsMode.OFF);
        assertThat(ConfigurationMetadata.getConfigurationMetadata(FileStatisticsConfig.class).getAttributes().values())
                .extracting(attribute -> attribute.getInjectionPoint().getProperty())
                .containsExactlyInAnyOrderElementsOf(ALL_PROPERTIES.keySet())
                .allMatch(property -> LayerProperties.find(property).isPresent());
    }

    @Test
    void wrongValues()
    {
        assertRefused(new FileStatisticsConfig().setMode("sometimes"), "cache.file-statistics is sometimes", "off, budgeted or on");
        assertRefused(new FileStatisticsConfig().setDailyRequests(0), "cache.file-statistics.daily-requests is 0", "cache.file-statistics=off");
        assertRefused(new FileStatisticsConfig().setDailySize(new DataSize(1023, KILOBYTE)), "cache.file-statistics.daily-size is 1023kB",
                "at least 1MB");
    }

    private static void assertRefused(FileStatisticsConfig config, String... parts)
    {
        assertThatThrownBy(config::validate).isInstanceOf(ConfigException.class).hasMessageContainingAll(parts);
    }
}
