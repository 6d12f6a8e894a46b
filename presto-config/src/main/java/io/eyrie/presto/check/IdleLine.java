// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.presto.config.CacheEngine;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.EyrieCacheConfig;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * A line of a catalog's file that has no effect because another line turns off what it configures. Lines that never have an effect are not among them.
 *
 * @param reason a sentence without a period
 * @param fix a remedy, also without a period
 */
public record IdleLine(String property, String reason, String fix)
{
    static final String FRAGMENTS = "fragment-result-cache.enabled";
    static final String METASTORE_TTL = "hive.metastore-cache-ttl";
    static final String LIST_TABLES = "hive.file-status-cache-tables";
    private static final String LIST_TIME = "hive.file-status-cache-expire-time";
    private static final List<String> FOOTERS = List.of(
            "hive.orc.file-tail-cache-enabled",
            "hive.orc.stripe-metadata-cache-enabled",
            "hive.orc.row-group-index-cache-enabled",
            "hive.parquet.metadata-cache-enabled");
    private static final List<String> METASTORE = List.of(
            "hive.metastore-cache-scope",
            "hive.metastore-refresh-interval",
            "hive.metastore-cache-maximum-size",
            "cache.metastore.max-retained-size",
            "cache.metastore.column-statistics-max-age",
            "cache.metastore.grace");
    private static final List<String> OWN_ENGINE = List.of(
            "cache.min-free-space",
            "cache.eviction-policy",
            "cache.ttl",
            "cache.disk-timeout",
            "cache.index-memory",
            "cache.write-buffer",
            "cache.fetch-memory",
            "cache.quotas",
            "cache.default-cache-quota",
            "cache.cache-quota-scope",
            "cache.admission.allow",
            "cache.admission.deny",
            "cache.admission.second-touch-pages",
            "cache.admission.query-write-budget",
            "cache.admission.daily-write-budget",
            "cache.trace-directory",
            "cache.trace-when-told");

    public IdleLine
    {
        requireNonNull(property, "property is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(fix, "fix is null");
    }

    /** Returns the lines of a catalog that have no effect, by their names in a catalog named {@code hive}. Does not throw, whatever the file contains. */
    public static List<IdleLine> of(CatalogFile catalog)
    {
        List<IdleLine> idle = new ArrayList<>(metadata(catalog));
        PropertyChecks.parsed(catalog, read -> read.config(EyrieCacheConfig.class)).ifPresent(cache -> {
            if (!cache.isEnabled()) {
                idle.addAll(cacheOff(catalog));
            }
            else if (PropertyChecks.parsed(catalog, ignored -> cache.engine()).filter(engine -> engine == CacheEngine.ALLUXIO_CLIENT).isPresent()) {
                idle.addAll(alluxiosClient(catalog));
            }
            else {
                idle.addAll(openPartitions(catalog));
            }
        });
        return idle;
    }

    static Stream<String> set(CatalogFile catalog, List<String> properties)
    {
        return properties.stream().filter(property -> catalog.value(property).isPresent());
    }

    /** Whether the catalog has a rule about what is cached. */
    static boolean anyAdmission(CatalogFile catalog)
    {
        return set(catalog, OWN_ENGINE).anyMatch(property -> property.startsWith("cache.admission."));
    }

    private static List<IdleLine> metadata(CatalogFile catalog)
    {
        List<IdleLine> idle = new ArrayList<>();
        if (catalog.millis(METASTORE_TTL) == 0) {
            set(catalog, METASTORE).forEach(property -> idle.add(new IdleLine(property, "no metadata is cached, because " + METASTORE_TTL
                    + " is not set or zero", "set " + METASTORE_TTL + ", for example to 2d, or remove the line")));
        }
        boolean tables = catalog.value(LIST_TABLES).isPresent();
        if (tables && catalog.millis(LIST_TIME) == 0) {
            idle.add(new IdleLine(LIST_TABLES, "no file list is cached, because " + LIST_TIME + " is not set or zero", "set " + LIST_TIME
                    + ", for example to 24h"));
        }
        if (!tables && catalog.millis(LIST_TIME) > 0) {
            idle.add(new IdleLine(LIST_TIME, "no file list is cached, because " + LIST_TABLES + " names no table", "set " + LIST_TABLES
                    + " to the tables whose directories change only through a metastore"));
        }
        return idle;
    }

    private static List<IdleLine> openPartitions(CatalogFile catalog)
    {
        return catalog.value(LIST_TABLES).isPresent()
                ? List.of()
                : set(catalog, List.of("cache.open-partition-path-pattern", "cache.open-partition-age"))
                        .map(property -> new IdleLine(property, "each query lists every directory, because " + LIST_TABLES + " names no table", "set "
                                + LIST_TABLES + ", or remove the line"))
                        .toList();
    }

    private static List<IdleLine> cacheOff(CatalogFile catalog)
    {
        List<IdleLine> idle = new ArrayList<>();
        String fix = "set cache.enabled=true, or remove the line";
        if (catalog.isOn(FRAGMENTS, false)) {
            idle.add(new IdleLine(FRAGMENTS, "results are stored in the data cache, and cache.enabled is not true: no result is cached", fix));
        }
        FOOTERS.stream().filter(property -> catalog.isOn(property, false)).forEach(property -> idle.add(new IdleLine(property,
                "footers need the file versions of the data cache, and cache.enabled is not true: no footer is cached", fix)));
        if (catalog.value("cache.base-directory").isPresent()) {
            idle.add(new IdleLine("cache.base-directory", "nothing is cached there, because cache.enabled is not true", fix));
        }
        return idle;
    }

    private static List<IdleLine> alluxiosClient(CatalogFile catalog)
    {
        String fix = "remove the line, or set cache.type=EYRIE";
        List<IdleLine> idle = new ArrayList<>(set(catalog, OWN_ENGINE).map(property -> new IdleLine(property,
                "Alluxio's client (cache.type=ALLUXIO_CLIENT) does not support it: no effect", fix)).toList());
        if (catalog.isOn(FRAGMENTS, false)) {
            idle.add(new IdleLine(FRAGMENTS, "results need Eyrie's own engine, and cache.type is ALLUXIO_CLIENT: no result is cached", fix));
        }
        return idle;
    }
}
