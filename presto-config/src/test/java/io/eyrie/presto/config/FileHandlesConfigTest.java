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
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FileHandlesConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.of(
            "cache.file-handles.max-idle", "10",
            "cache.file-handles.idle-time", "5s");

    @Test
    void recordedDefaults()
    {
        FileHandlesConfig config = build(Map.of());
        assertThat(config).usingRecursiveComparison().isEqualTo(new FileHandlesConfig().setMaxIdle(200).setIdleTime(new Duration(1, MINUTES)));
        config.validate();
    }

    @Test
    void fullMapping()
    {
        assertThat(build(ALL_PROPERTIES)).usingRecursiveComparison()
                .isEqualTo(new FileHandlesConfig().setMaxIdle(10).setIdleTime(new Duration(5, SECONDS)));
    }

    @Test
    void everyPropertyIsInTheMappingAndHasItsRow()
    {
        assertThat(ConfigurationMetadata.getConfigurationMetadata(FileHandlesConfig.class).getAttributes().values())
                .extracting(attribute -> attribute.getInjectionPoint().getProperty())
                .containsExactlyInAnyOrderElementsOf(ALL_PROPERTIES.keySet())
                .allMatch(property -> LayerProperties.find(property).isPresent());
    }

    @Test
    void valuesOutOfRange()
    {
        assertRefused(new FileHandlesConfig().setMaxIdle(-1), "cache.file-handles.max-idle is -1", "from 0 to 10000",
                "To fix: use the default of 200");
        assertRefused(new FileHandlesConfig().setIdleTime(new Duration(2, HOURS)), "cache.file-handles.idle-time is 2.00h", "from 0s to 1.00h");
    }

    private static FileHandlesConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(FileHandlesConfig.class);
    }

    private static void assertRefused(FileHandlesConfig config, String... parts)
    {
        assertThatThrownBy(config::validate).isInstanceOf(ConfigException.class).hasMessageContainingAll(parts);
    }
}
