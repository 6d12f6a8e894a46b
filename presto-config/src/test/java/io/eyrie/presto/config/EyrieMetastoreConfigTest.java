// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.units.DataSize.Unit.BYTE;
import static io.airlift.units.DataSize.Unit.GIGABYTE;
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
                .setMaxRetainedSize(null)
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
    void limitsThatCannotBe()
    {
        assertThatThrownBy(() -> configured().setMaxRetainedSize(new DataSize(0, BYTE)).validate())
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("cache.metastore.max-retained-size is 0", "at least 1B", "To fix: ");
        assertThatThrownBy(() -> configured().setColumnStatisticsMaxAge(new Duration(0, MINUTES)).validate())
                .isInstanceOf(ConfigException.class).hasMessageContainingAll("cache.metastore.column-statistics-max-age", "To fix: ");
        configured().validate();
    }

    private static EyrieMetastoreConfig configured()
    {
        return new EyrieMetastoreConfig().setMaxRetainedSize(new DataSize(3, GIGABYTE)).setColumnStatisticsMaxAge(new Duration(1, MINUTES)).setGrace(
                new Duration(5, MINUTES));
    }

    private static EyrieMetastoreConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(EyrieMetastoreConfig.class);
    }
}
