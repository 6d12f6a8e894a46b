// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.eyrie.cache.config.ConfigException;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MINUTES;

/** The properties {@code cache.file-handles.…} of a catalog. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class FileHandlesConfig
{
    private static final int DEFAULT_MAX_IDLE = 200;
    private static final int MOST_IDLE = 10_000;
    private static final Duration MAX_IDLE_TIME = new Duration(1, HOURS);

    private int maxIdle = DEFAULT_MAX_IDLE;
    private Duration idleTime = new Duration(1, MINUTES);

    public int getMaxIdle()
    {
        return maxIdle;
    }

    @Config("cache.file-handles.max-idle")
    @ConfigDescription("Maximum number of idle remote files that stay open for the next split; 0 closes each at once")
    public FileHandlesConfig setMaxIdle(int maxIdle)
    {
        this.maxIdle = maxIdle;
        return this;
    }

    public Duration getIdleTime()
    {
        return idleTime;
    }

    @Config("cache.file-handles.idle-time")
    @ConfigDescription("How long an idle remote file stays open")
    public FileHandlesConfig setIdleTime(Duration idleTime)
    {
        this.idleTime = idleTime;
        return this;
    }

    /**
     * Checks all properties.
     *
     * @throws ConfigException about the first property that is out of its range
     */
    public void validate()
    {
        if (maxIdle < 0 || maxIdle > MOST_IDLE) {
            throw new ConfigException("cache.file-handles.max-idle", Integer.toString(maxIdle), "it must be from 0 to " + MOST_IDLE,
                    "use the default of " + DEFAULT_MAX_IDLE);
        }
        if (idleTime.compareTo(MAX_IDLE_TIME) > 0) {
            throw new ConfigException("cache.file-handles.idle-time", idleTime.toString(), "it must be from 0s to " + MAX_IDLE_TIME,
                    "use the default of 1m");
        }
    }
}
