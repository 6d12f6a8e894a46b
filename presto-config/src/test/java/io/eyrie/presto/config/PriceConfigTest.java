// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.presto.config.PriceConfig.Prices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class PriceConfigTest
{
    private static final String PROPERTY = "cache.price-list";

    @Test
    void prices()
    {
        assertThat(config(Map.of()).prices()).isEqualTo(new Prices(0.4, 5, 0, 0.05));
        assertThat(config(Map.of(PROPERTY, "gigabyte = 0.02, get=1")).prices()).isEqualTo(new Prices(1, 5, 0.02, 0.05));
        assertThat(LayerProperties.find(PROPERTY)).isPresent();
    }

    @Test
    void priceOfWork()
    {
        Prices prices = new Prices(0.4, 5, 0.02, 0.05);
        assertThat(prices.of(2_000_000, 100_000, 10L << 30, 7_200_000_000_000L)).isCloseTo(0.8 + 0.5 + 0.2 + 0.1, within(1e-9));
        assertThat(prices.of(-1_000_000, 0, 0, 0)).isCloseTo(-0.4, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "get=x", "get=-1", "get=NaN", "put=1", "get=1,get=2", "get=1,,list=2", ""})
    void wrongLists(String list)
    {
        assertThatThrownBy(new PriceConfig().setPriceList(list)::validate).isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(PROPERTY + " is '" + list + "'", "get, list, gigabyte, cpu-hour", "write it like get=0.40");
    }

    private static PriceConfig config(Map<String, String> properties)
    {
        PriceConfig config = new ConfigurationFactory(properties).build(PriceConfig.class);
        config.validate();
        return config;
    }
}
