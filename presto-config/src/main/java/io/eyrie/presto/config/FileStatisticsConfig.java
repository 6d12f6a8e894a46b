// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.eyrie.cache.config.ConfigException;

import java.util.Arrays;
import java.util.Locale;

import static io.airlift.units.DataSize.Unit.GIGABYTE;

/** The properties {@code cache.file-statistics*}: whether a coordinator reads footers, and how many. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class FileStatisticsConfig
{
    public static final String MODE = "cache.file-statistics";
    private static final String DAILY_REQUESTS = "cache.file-statistics.daily-requests";
    private static final String DAILY_SIZE = "cache.file-statistics.daily-size";
    private static final DataSize LEAST_SIZE = new DataSize(1, DataSize.Unit.MEGABYTE);

    private String mode = StatisticsMode.BUDGETED.label();
    private long dailyRequests = 50_000;
    private DataSize dailySize = new DataSize(4, GIGABYTE);

    /** Whether a coordinator reads footers. */
    public enum StatisticsMode
    {
        OFF,
        /** As many a day as the budget allows. */
        BUDGETED,
        ON;

        String label()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public String getMode()
    {
        return mode;
    }

    @Config(MODE)
    @ConfigDescription("Whether the coordinator reads the footers of files in the background, to drop splits without a matching row: off, budgeted or on")
    public FileStatisticsConfig setMode(String mode)
    {
        this.mode = mode;
        return this;
    }

    public long getDailyRequests()
    {
        return dailyRequests;
    }

    @Config(DAILY_REQUESTS)
    @ConfigDescription("Maximum number of requests a day, in UTC, for these footers if budgeted")
    public FileStatisticsConfig setDailyRequests(long dailyRequests)
    {
        this.dailyRequests = dailyRequests;
        return this;
    }

    public DataSize getDailySize()
    {
        return dailySize;
    }

    @Config(DAILY_SIZE)
    @ConfigDescription("Maximum number of bytes a day, in UTC, of these footers if budgeted")
    public FileStatisticsConfig setDailySize(DataSize dailySize)
    {
        this.dailySize = dailySize;
        return this;
    }

    /**
     * Returns the mode.
     *
     * @throws ConfigException if there is none of that name
     */
    public StatisticsMode mode()
    {
        return Arrays.stream(StatisticsMode.values())
                .filter(value -> value.label().equals(mode.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new ConfigException(MODE, mode, "it must be off, budgeted or on", "remove the line for the default of budgeted"));
    }

    /**
     * Checks all properties.
     *
     * @throws ConfigException about the first property that is out of its range
     */
    public void validate()
    {
        StatisticsMode unused = mode();
        if (dailyRequests < 1) {
            throw new ConfigException(DAILY_REQUESTS, Long.toString(dailyRequests), "it must be at least 1",
                    "use the default of 50000, or set " + MODE + "=off to read no footer");
        }
        if (dailySize.toBytes() < LEAST_SIZE.toBytes()) {
            throw new ConfigException(DAILY_SIZE, dailySize.toString(), "it must be at least " + LEAST_SIZE,
                    "use the default of 4GB, or set " + MODE + "=off to read no footer");
        }
    }
}
