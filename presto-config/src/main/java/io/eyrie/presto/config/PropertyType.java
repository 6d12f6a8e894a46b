// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.config.DefaultQuota.Level;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The values that a property may have, as an operator writes them. */
public enum PropertyType
{
    BOOLEAN("true or false", value -> Set.of("true", "false").contains(value.toLowerCase(Locale.ROOT))),
    COUNT("a whole number from 0 to 9223372036854775807", value -> Long.parseLong(value) >= 0),
    DURATION("a duration of at least zero with its unit, such as 30s, 10m, 24h or 2d", value -> Duration.valueOf(value).toMillis() >= 0),
    DATA_SIZE("a size with its unit, such as 512kB, 100MB or 1600GB", value -> DataSize.valueOf(value).toBytes() >= 0),
    DIRECTORY("a file: URI or an absolute path, such as file:///mnt/flash/data", value -> !directories(value).isEmpty()),
    FILE("a file: URI or an absolute path, such as file:///etc/eyrie/key", value -> !directories(value).isEmpty()),
    DIRECTORIES("comma-separated file: URIs or absolute paths, such as file:///mnt/flash1/data,file:///mnt/flash2/data",
            value -> !directories(value).isEmpty()),
    EVICTION_POLICY("LRU or S3_FIFO", value -> Stream.of(EvictionKind.values()).anyMatch(kind -> kind.name().equalsIgnoreCase(value))),
    TABLE_PATTERNS("comma-separated catalog.schema.table, with * for any characters of a part, such as hive.web.*",
            value -> !tablePatterns(value).isEmpty()),
    QUOTAS("comma-separated quotas: catalog, catalog.schema or catalog.schema.table, then = and a size, such as hive.web=10GB",
            value -> quotas(value).values().stream().allMatch(bytes -> bytes >= 0)),
    KEY_PLACES("comma-separated file:PATH or env:NAME", value -> keyPlaces(value).stream().allMatch(PropertyType::isKeyPlace)),
    TABLES("comma-separated schema.table, schema.* or *", value -> Stream.of(value.split(",", -1)).allMatch(PropertyType::isTablePattern)),
    METASTORE_SCOPE("ALL or PARTITION", value -> Set.of("ALL", "PARTITION").contains(value.toUpperCase(Locale.ROOT))),
    QUOTA_SCOPE("GLOBAL, SCHEMA, TABLE or PARTITION",
            value -> Stream.of(Level.values()).anyMatch(level -> level.name().equalsIgnoreCase(value))),
    TEXT("a text that is not blank", value -> !value.isBlank());

    private final String allowed;
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Predicate<String> accepts;

    PropertyType(String allowed, Predicate<String> accepts)
    {
        this.allowed = allowed;
        this.accepts = accepts;
    }

    /** Returns a description of the allowed values. */
    public String allowed()
    {
        return allowed;
    }

    /** Whether a value is allowed. */
    public boolean accepts(String value)
    {
        try {
            return accepts.test(value.trim());
        }
        catch (IllegalArgumentException | IllegalStateException e) { // the second one is thrown for sizes that exceed a long
            return false;
        }
    }

    /**
     * Returns the directories that a value names.
     *
     * @throws IllegalArgumentException if one is neither a {@code file:} URI nor an absolute path
     */
    public static List<Path> directories(String value)
    {
        return Stream.of(value.split(",", -1)).map(String::trim).map(PropertyType::directory).toList();
    }

    private static Path directory(String value)
    {
        if (value.startsWith("file:")) {
            return Path.of(URI.create(value)).normalize();
        }
        Path path = Path.of(value);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException(value + " is not absolute");
        }
        return path.normalize();
    }

    /**
     * Returns the tables that a value names.
     *
     * @throws IllegalArgumentException if a pattern does not have three parts
     */
    static List<TablePattern> tablePatterns(String value)
    {
        return Stream.of(value.split(",", -1)).map(TablePattern::parse).toList();
    }

    /**
     * Returns the bytes of each scope that a value names; none if it is empty.
     *
     * @throws IllegalArgumentException if a part is malformed or a scope occurs twice
     */
    static Map<Scope, Long> quotas(String value)
    {
        Map<Scope, Long> quotas = new HashMap<>();
        for (String quota : value.isBlank() ? new String[0] : value.split(",", -1)) {
            int equals = quota.lastIndexOf('=');
            List<String> names = List.of(quota.substring(0, Math.max(0, equals)).trim().split("\\.", -1));
            if (names.size() > 3 || names.stream().anyMatch(String::isBlank)) {
                throw new IllegalArgumentException("'" + quota + "' names no catalog, schema or table");
            }
            Scope scope = new Scope(names.get(0), names.size() > 1 ? names.get(1) : "", names.size() > 2 ? names.get(2) : "", "");
            if (quotas.put(scope, DataSize.valueOf(quota.substring(equals + 1).trim()).toBytes()) != null) {
                throw new IllegalArgumentException("'" + quota + "' is the second quota of its scope");
            }
        }
        return quotas;
    }

    static List<String> keyPlaces(String value)
    {
        return Stream.of(value.split(",", -1)).map(String::trim).toList();
    }

    private static boolean isKeyPlace(String value)
    {
        return value.matches("(file:/|env:).+");
    }

    private static boolean isTablePattern(String value)
    {
        return value.trim().matches("\\*|[^.*\\s]+\\.(\\*|[^.*\\s]+)");
    }
}
