package io.eyrie.metastore.entry;

import io.eyrie.cache.config.ConfigException;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * How much is kept, and how long.
 *
 * @param bytes the most that all entries may take, by estimate
 * @param entries the most entries
 * @param age how long an entry is kept
 * @param statisticsAge how long an entry with column statistics is kept, whose changes no metastore tells of
 */
public record EntryLimits(long bytes, long entries, Duration age, Duration statisticsAge)
{
    public EntryLimits
    {
        requireNonNull(age, "age is null");
        requireNonNull(statisticsAge, "statisticsAge is null");
    }

    /**
     * Checks the ranges.
     *
     * @throws ConfigException about the first value that is out of its range
     */
    public void validate()
    {
        atLeastOne("bytes", bytes);
        atLeastOne("entries", entries);
        longerThanZero("age", age);
        longerThanZero("statisticsAge", statisticsAge);
    }

    private static void atLeastOne(String key, long value)
    {
        if (value < 1) {
            throw new ConfigException(key, Long.toString(value), "it must be at least 1", "set a higher value");
        }
    }

    private static void longerThanZero(String key, Duration value)
    {
        if (value.isNegative() || value.isZero()) {
            throw new ConfigException(key, value.toString(), "it must be longer than zero", "set a longer one");
        }
    }
}
