// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MINUTES;

/** The property {@code cache.access-check-interval}: how long a user's right to read a file, once granted by the store, remains valid. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class AccessCheckConfig
{
    private static final Duration MAX_INTERVAL = new Duration(1, DAYS);

    private Duration interval = new Duration(1, MINUTES);

    public Duration getInterval()
    {
        return interval;
    }

    @Config("cache.access-check-interval")
    @ConfigDescription("If users have individual rights in the store: maximum time that a file is served from the cache before Eyrie asks the store again "
            + "whether the user may read it; 0s asks at each open")
    public AccessCheckConfig setInterval(Duration interval)
    {
        this.interval = interval;
        return this;
    }

    /**
     * Checks all properties.
     *
     * @throws ConfigException about the interval if it is out of its range
     */
    public void validate()
    {
        if (interval.compareTo(MAX_INTERVAL) > 0) {
            throw new ConfigException("cache.access-check-interval", interval.toString(), "it must be from 0s to " + MAX_INTERVAL,
                    "use the default of 1m");
        }
    }
}
