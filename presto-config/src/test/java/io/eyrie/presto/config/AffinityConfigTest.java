// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import io.airlift.units.Duration;
import io.eyrie.affinity.placement.LoadBound;
import io.eyrie.cache.config.ConfigException;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AffinityConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.of(
            "hive.affinity-scheduling-grace-period", "5m",
            "hive.affinity-scheduling-gather-time", "2s",
            "hive.affinity-scheduling-small-files-per-node", "0",
            "hive.affinity-scheduling-unpacked-splits-per-node", "100");

    @Test
    void recordedDefaults()
    {
        AffinityConfig config = build(Map.of());
        assertThat(config).usingRecursiveComparison().isEqualTo(new AffinityConfig()
                .setGracePeriod(new Duration(60, SECONDS))
                .setGatherTime(new Duration(500, MILLISECONDS))
                .setSmallFilesPerNode(4)
                .setUnpackedSplitsPerNode(4 * Runtime.getRuntime().availableProcessors()));
        config.validate();
        assertThat(config.loadBound()).isEqualTo(LoadBound.DEFAULT);
    }

    @Test
    void fullMapping()
    {
        AffinityConfig config = build(ALL_PROPERTIES);
        assertThat(config).usingRecursiveComparison().isEqualTo(new AffinityConfig()
                .setGracePeriod(new Duration(5, MINUTES))
                .setGatherTime(new Duration(2, SECONDS))
                .setSmallFilesPerNode(0)
                .setUnpackedSplitsPerNode(100));
        assertThat(config.packing()).isEqualTo(100);
        assertThat(config.grace()).isEqualTo(java.time.Duration.ofMinutes(5));
        assertThat(config.gather()).isEqualTo(java.time.Duration.ofSeconds(2));
        assertThat(config.loadBound().smallKeysPerNode()).isZero();
    }

    @Test
    void everyPropertyIsInTheMappingAndHasItsRow()
    {
        assertThat(ConfigurationMetadata.getConfigurationMetadata(AffinityConfig.class).getAttributes().values())
                .extracting(attribute -> attribute.getInjectionPoint().getProperty())
                .containsExactlyInAnyOrderElementsOf(ALL_PROPERTIES.keySet())
                .allMatch(property -> LayerProperties.find(property).isPresent());
    }

    @Test
    void valuesOutOfRange()
    {
        assertRefused(new AffinityConfig().setGracePeriod(new Duration(25, HOURS)),
                "hive.affinity-scheduling-grace-period is 25.00h", "from 0s to 24.00h", "To fix: use the default of 60s");
        assertRefused(new AffinityConfig().setGatherTime(new Duration(2, MINUTES)),
                "hive.affinity-scheduling-gather-time is 2.00m", "from 0s to 60.00s", "To fix: ");
        assertRefused(new AffinityConfig().setSmallFilesPerNode(-1),
                "hive.affinity-scheduling-small-files-per-node is -1", "from 0 to 1000", "To fix: use the default of 4");
        assertRefused(new AffinityConfig().setUnpackedSplitsPerNode(10_001),
                "hive.affinity-scheduling-unpacked-splits-per-node is 10001", "from 0 to 10000", "To fix: remove the line");
    }

    private static AffinityConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(AffinityConfig.class);
    }

    private static void assertRefused(AffinityConfig config, String... parts)
    {
        assertThatThrownBy(config::validate).isInstanceOf(ConfigException.class).hasMessageContainingAll(parts);
    }
}
