// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AccessCheckConfigTest
{
    private static final String PROPERTY = "cache.access-check-interval";

    @Test
    void interval()
    {
        assertThat(config(Map.of()).getInterval()).isEqualTo(new Duration(1, MINUTES));
        assertThat(config(Map.of(PROPERTY, "5s")).getInterval()).isEqualTo(new Duration(5, SECONDS));
        assertThat(LayerProperties.find(PROPERTY)).isPresent();
    }

    @Test
    void outOfRange()
    {
        assertThatThrownBy(new AccessCheckConfig().setInterval(new Duration(2, DAYS))::validate).isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(PROPERTY + " is 2.00d", "from 0s to 1.00d");
    }

    private static AccessCheckConfig config(Map<String, String> properties)
    {
        AccessCheckConfig config = new ConfigurationFactory(properties).build(AccessCheckConfig.class);
        config.validate();
        return config;
    }
}
