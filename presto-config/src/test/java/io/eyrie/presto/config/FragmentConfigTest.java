// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FragmentConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.ofEntries(
            Map.entry("fragment-result-cache.enabled", "true"),
            Map.entry("fragment-result-cache.subsumption-enabled", "false"),
            Map.entry("fragment-result-cache.joined.admission", "seen-twice"),
            Map.entry("fragment-result-cache.joined.max-build-size", "100MB"),
            Map.entry("fragment-result-cache.joined.listing-time", "5s"),
            Map.entry("fragment-result-cache.max-cached-entries", "1000000"),
            Map.entry("fragment-result-cache.base-directory", "file:///mnt/flash/fragment"),
            Map.entry("fragment-result-cache.cache-ttl", "24h"),
            Map.entry("fragment-result-cache.max-cache-size", "100GB"),
            Map.entry("fragment-result-cache.input-data-stats-enabled", "true"),
            Map.entry("fragment-result-cache.max-in-flight-size", "1GB"),
            Map.entry("fragment-result-cache.max-single-pages-size", "5MB"),
            Map.entry("fragment-result-cache.block-encoding-compression-codec", "NONE"));

    @Test
    void recordedDefaults()
    {
        FragmentConfig config = build(Map.of());
        assertThat(config.isEnabled()).isFalse();
        assertThat(config.isCompressed()).isTrue();
        assertThat(config.isSubsumptionEnabled()).isTrue();
        assertThat(config.notice()).isEmpty();
        config.validate();
    }

    @Test
    void fullMapping()
    {
        FragmentConfig config = build(ALL_PROPERTIES);
        assertThat(config).usingRecursiveComparison()
                .isEqualTo(new FragmentConfig()
                        .setEnabled(true)
                        .setMaxCachedEntries(1_000_000)
                        .setBaseDirectory("file:///mnt/flash/fragment")
                        .setCacheTtl(new Duration(24, HOURS))
                        .setMaxCacheSize(new DataSize(100, GIGABYTE))
                        .setInputDataStatsEnabled(true)
                        .setSubsumptionEnabled(false)
                        .setJoinedAdmission("seen-twice")
                        .setJoinedMaxBuildSize(new DataSize(100, MEGABYTE))
                        .setJoinedListingTime(new Duration(5, SECONDS))
                        .setMaxInFlightSize(new DataSize(1, GIGABYTE))
                        .setMaxSinglePagesSize(new DataSize(5, MEGABYTE))
                        .setBlockEncodingCompressionCodec("NONE"));
        assertThat(config.isCompressed()).isFalse();
    }

    @Test
    void everyPropertyIsInTheMappingAndHasItsRow()
    {
        assertThat(ConfigurationMetadata.getConfigurationMetadata(FragmentConfig.class).getAttributes().values())
                .extracting(attribute -> attribute.getInjectionPoint().getProperty())
                .containsExactlyInAnyOrderElementsOf(ALL_PROPERTIES.keySet())
                .allMatch(property -> LayerProperties.find(property).isPresent());
    }

    @Test
    void whatHasNoEffectIsNamed()
    {
        assertThat(build(ALL_PROPERTIES).notice()).hasValueSatisfying(notice -> assertThat(notice)
                .contains(
                        "fragment-result-cache.base-directory, fragment-result-cache.cache-ttl, fragment-result-cache.input-data-stats-enabled,"
                                + " fragment-result-cache.max-cache-size, fragment-result-cache.max-cached-entries"));
        assertThat(new FragmentConfig().setCacheTtl(new Duration(1, HOURS)).notice()).hasValueSatisfying(notice -> assertThat(notice)
                .contains("fragment-result-cache.cache-ttl")
                .doesNotContain("fragment-result-cache.base-directory"));
    }

    @Test
    void valuesOutOfRange()
    {
        assertRefused(new FragmentConfig().setBlockEncodingCompressionCodec("ZSTD"), "fragment-result-cache.block-encoding-compression-codec is ZSTD",
                "LZ4 or NONE");
        assertRefused(new FragmentConfig().setMaxSinglePagesSize(new DataSize(1, GIGABYTE)), "fragment-result-cache.max-in-flight-size is",
                "at least");
        assertRefused(new FragmentConfig().setJoinedAdmission("sometimes"), "fragment-result-cache.joined.admission is sometimes",
                "never, seen-twice or always");
        assertRefused(new FragmentConfig().setJoinedMaxBuildSize(new DataSize(0, MEGABYTE)), "fragment-result-cache.joined.max-build-size is 0",
                "positive");
        assertRefused(new FragmentConfig().setJoinedListingTime(new Duration(0, SECONDS)), "fragment-result-cache.joined.listing-time is 0",
                "from 1ms to 60.00s");
        assertRefused(new FragmentConfig().setJoinedListingTime(new Duration(61, SECONDS)), "fragment-result-cache.joined.listing-time is 61.00s",
                "from 1ms to 60.00s");
        assertRefused(new FragmentConfig().setMaxSinglePagesSize(new DataSize(0, MEGABYTE)), "fragment-result-cache.max-single-pages-size is 0",
                "positive");
    }

    private static FragmentConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(FragmentConfig.class);
    }

    private static void assertRefused(FragmentConfig config, String... parts)
    {
        assertThatThrownBy(config::validate).isInstanceOf(ConfigException.class).hasMessageContainingAll(parts);
    }
}
