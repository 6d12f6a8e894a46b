// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EyrieFileListConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.of(
            "hive.file-status-cache-size", "7",
            "cache.open-partition-age", "5m",
            "cache.open-partition-path-pattern", "/hot/",
            "cache.list-by-prefix", "false");

    @Test
    void recordedDefaults()
    {
        assertThat(build(Map.of())).usingRecursiveComparison().isEqualTo(new EyrieFileListConfig()
                .setMaxFiles(100_000_000)
                .setOpenPartitionAge(new Duration(1, HOURS))
                .setOpenPartitionPathPattern(null)
                .setListByPrefix(true));
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
    void limitsThatCannotBe()
    {
        assertThatThrownBy(() -> new EyrieFileListConfig().setMaxFiles(0).validate())
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("hive.file-status-cache-size is 0", "To fix: ");
        assertThatThrownBy(() -> new EyrieFileListConfig().setOpenPartitionPathPattern("(").validate())
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("cache.open-partition-path-pattern is (", "a regular expression",
                        "To fix: ");
        configured().validate();
    }

    private static EyrieFileListConfig configured()
    {
        return new EyrieFileListConfig().setMaxFiles(7).setOpenPartitionAge(new Duration(5, MINUTES)).setOpenPartitionPathPattern("/hot/")
                .setListByPrefix(false);
    }

    private static EyrieFileListConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(EyrieFileListConfig.class);
    }
}
