// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import io.eyrie.cache.config.ConfigException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * Which file lists are cached, how many and for how long.
 *
 * @param tables {@code schema.table}, {@code schema.*} or {@code *}; if empty, nothing is cached
 * @param bytes maximum estimated size of all lists
 * @param files maximum number of files in all lists
 * @param age how long a list is cached
 * @param openAge a directory whose newest file is younger is open
 * @param openPaths directories whose paths contain a match are open
 */
public record FileListConfig(List<String> tables, long bytes, long files, Duration age, Duration openAge, Optional<Pattern> openPaths)
{
    private static final String EVERYTHING = "*";

    public FileListConfig
    {
        tables = List.copyOf(tables);
        requireNonNull(age, "age is null");
        requireNonNull(openAge, "openAge is null");
        requireNonNull(openPaths, "openPaths is null");
    }

    /**
     * Checks the ranges.
     *
     * @throws ConfigException about the first value that is out of range
     */
    public void validate()
    {
        atLeastOne("bytes", bytes);
        atLeastOne("files", files);
        if (age.isNegative()) {
            throw new ConfigException("age", age.toString(), "it must not be negative", "set a longer duration");
        }
        if (openAge.isNegative()) {
            throw new ConfigException("openAge", openAge.toString(), "it must not be negative", "set a longer duration");
        }
    }

    /** Whether any lists are cached. */
    public boolean keepsAny()
    {
        return !tables.isEmpty() && !age.isZero();
    }

    boolean names(String database, String table)
    {
        return keepsAny() && tables.stream().anyMatch(
                name -> name.equals(EVERYTHING) || name.equalsIgnoreCase(database + "." + EVERYTHING) || name.equalsIgnoreCase(database + "."
                        + table));
    }

    private static void atLeastOne(String key, long value)
    {
        if (value < 1) {
            throw new ConfigException(key, Long.toString(value), "it must be at least 1", "set a higher value");
        }
    }
}
