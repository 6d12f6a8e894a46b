// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import io.eyrie.cache.config.ConfigException;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * The bounds on the size and age of entries.
 *
 * @param bytes maximum estimated size of all entries
 * @param entries maximum number of entries
 * @param age how long an entry is cached
 * @param statisticsAge how long an entry with column statistics is cached, because metastores do not report their changes
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
     * @throws ConfigException about the first value that is out of range
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
            throw new ConfigException(key, value.toString(), "it must be longer than zero", "set a longer duration");
        }
    }
}
