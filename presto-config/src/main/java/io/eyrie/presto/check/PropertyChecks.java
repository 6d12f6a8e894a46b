// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import com.google.inject.ConfigurationException;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.presto.config.AccessCheckConfig;
import io.eyrie.presto.config.AddedLine;
import io.eyrie.presto.config.AddedLines;
import io.eyrie.presto.config.AffinityConfig;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.CatalogProperties;
import io.eyrie.presto.config.EyrieAdmissionConfig;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.EyrieFileListConfig;
import io.eyrie.presto.config.EyrieMetastoreConfig;
import io.eyrie.presto.config.FileHandlesConfig;
import io.eyrie.presto.config.FileStatisticsConfig;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.config.PriceConfig;
import io.eyrie.presto.config.StoredMetadataConfig;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Checks each property on its own: unknown names and values out of range. */
final class PropertyChecks
{
    private static final KnownNames NAMES = KnownNames.load();
    /** Values that may be secrets are not repeated. */
    private static final Pattern SECRET = Pattern.compile("(?i).*(secret|pass|pwd|key|token|credential).*");
    private static final String METASTORE_ENTRIES = "hive.metastore-cache-maximum-size";
    private static final String HIDDEN = "(not shown)";

    private final CatalogFile catalog;
    private final List<Finding> findings = new ArrayList<>();

    private PropertyChecks(CatalogFile catalog)
    {
        this.catalog = catalog;
    }

    /** @param added the lines that Eyrie adds to the file */
    static List<Finding> of(CatalogFile catalog, List<AddedLine> added)
    {
        PropertyChecks checks = new PropertyChecks(catalog);
        checks.names();
        Map<String, String> good = checks.values();
        if (checks.findings.stream().noneMatch(finding -> finding.severity() == Severity.ERROR && good.containsKey(finding.key()))) {
            checks.ranges(AddedLines.with(new CatalogFile(catalog.name(), good), added));
        }
        return checks.findings;
    }

    /** Returns the value of a property as it may be printed. */
    static String shown(String name, String value)
    {
        return SECRET.matcher(name).matches() ? HIDDEN : value;
    }

    private void names()
    {
        new TreeMap<>(catalog.byGuideName()).forEach((name, value) -> {
            if (!NAMES.contains(name)) {
                Optional<String> nearest = NAMES.nearest(name);
                findings.add(Finding.error(
                        name,
                        shown(nearest.orElse(""), shown(name, value)),
                        "neither Eyrie nor Presto's Hive connector has a property of that name, so Presto does not start",
                        nearest.map(near -> "write " + near).orElse("remove the line")));
            }
        });
    }

    /** Returns the properties whose values are well-formed. */
    private Map<String, String> values()
    {
        Map<String, String> good = new HashMap<>();
        catalog.properties().forEach((name, value) -> complaint(() -> {
            CatalogProperties unused = new CatalogProperties(catalog.name(), Map.of(name, value));
        }).ifPresentOrElse(
                complaint -> findings.add(Finding.of(complaint)),
                () -> good.put(name, value)));
        complaint(() -> {
            CatalogProperties unused = new CatalogProperties(catalog.name(), good);
        }).ifPresent(complaint -> findings.add(Finding.of(complaint)));
        return good;
    }

    private void ranges(CatalogFile good)
    {
        range(good, AffinityConfig.class, AffinityConfig::validate);
        range(good, AccessCheckConfig.class, AccessCheckConfig::validate);
        range(good, PriceConfig.class, PriceConfig::validate);
        range(good, FileHandlesConfig.class, FileHandlesConfig::validate);
        range(good, FragmentConfig.class, FragmentConfig::validate);
        range(good, FileStatisticsConfig.class, FileStatisticsConfig::validate);
        range(good, EyrieFileListConfig.class, EyrieFileListConfig::validate);
        if (good.millis("hive.metastore-cache-ttl") > 0) {
            range(good, EyrieMetastoreConfig.class, EyrieMetastoreConfig::validate);
            range(good, StoredMetadataConfig.class, StoredMetadataConfig::validate);
            if (good.value(METASTORE_ENTRIES).equals(Optional.of("0"))) {
                findings.add(Finding.error(METASTORE_ENTRIES, "0", "it must be at least 1", "set hive.metastore-cache-ttl=0s to cache nothing"));
            }
        }
        range(good, EyrieCacheConfig.class, cache -> {
            if (cache.isEnabled()) {
                PageCacheConfig unused = cache.pageCache(good.config(EyrieAdmissionConfig.class));
            }
        });
    }

    private <T> void range(CatalogFile good, Class<T> type, Consumer<T> validation)
    {
        complaint(() -> validation.accept(good.config(type))).ifPresent(complaint -> findings.add(Finding.of(complaint)));
    }

    /* Returns the error that a config class, or airlift when it creates one, throws for the values. */
    private Optional<ConfigException> complaint(Runnable reading)
    {
        try {
            reading.run();
            return Optional.empty();
        }
        catch (ConfigException e) {
            return Optional.of(e);
        }
        catch (ConfigurationException e) {
            String message = e.getErrorMessages().iterator().next().getMessage();
            String key = catalog.properties().keySet().stream().filter(message::contains).sorted().findFirst().orElse("a property");
            return Optional.of(new ConfigException(key, "'" + catalog.properties().getOrDefault(key, "") + "'", message,
                    "correct it or remove the line"));
        }
    }

    /** Returns the settings of a catalog's page cache, if it has one and its settings are in range. */
    static Optional<PageCacheConfig> pageCache(CatalogFile catalog)
    {
        return parsed(catalog, read -> read.config(EyrieCacheConfig.class))
                .filter(EyrieCacheConfig::isEnabled)
                .flatMap(cache -> parsed(catalog, read -> cache.pageCache(read.config(EyrieAdmissionConfig.class))));
    }

    /** Returns the result of the parser, or empty if it cannot parse the catalog's values. */
    static <T> Optional<T> parsed(CatalogFile catalog, Function<CatalogFile, T> parser)
    {
        try {
            return Optional.of(parser.apply(catalog));
        }
        catch (IllegalArgumentException | ConfigurationException e) { // of(catalog) reports it
            return Optional.empty();
        }
    }
}
