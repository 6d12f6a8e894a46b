// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.presto.config.CacheEngine;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.Layer;
import io.eyrie.presto.config.LayerProperties;
import io.eyrie.presto.config.LayerProperties.LayerProperty;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    /** Sizes and times of layers that can be turned off on their own, by the property that does it. */
    private static final Map<String, List<String>> BY_SWITCH = Map.of(
            FRAGMENTS, List.of(
                    "fragment-result-cache.max-in-flight-size",
                    "fragment-result-cache.max-single-pages-size",
                    "fragment-result-cache.block-encoding-compression-codec",
                    "fragment-result-cache.subsumption-enabled",
                    "fragment-result-cache.joined.admission",
                    "cache.file-statistics",
                    "cache.file-statistics.daily-requests",
                    "cache.file-statistics.daily-size",
                    "fragment-result-cache.joined.max-build-size",
                    "fragment-result-cache.joined.listing-time"),
            "hive.orc.file-tail-cache-enabled", List.of(
                    "hive.orc.file-tail-cache-size",
                    "hive.orc.file-tail-cache-ttl-since-last-access"),
            "hive.orc.stripe-metadata-cache-enabled", List.of(
                    "hive.orc.stripe-footer-cache-size",
                    "hive.orc.stripe-footer-cache-ttl-since-last-access",
                    "hive.orc.stripe-stream-cache-size",
                    "hive.orc.stripe-stream-cache-ttl-since-last-access"),
            "hive.orc.row-group-index-cache-enabled", List.of(
                    "hive.orc.row-group-index-cache-size",
                    "hive.orc.row-group-index-cache-ttl-since-last-access"),
            "hive.parquet.metadata-cache-enabled", List.of(
                    "hive.parquet.metadata-cache-size",
                    "hive.parquet.metadata-cache-ttl-since-last-access"));
    private static final List<String> LISTS = List.of("hive.file-status-cache-size", "hive.file-status-cache.max-retained-size");
    // these also apply to layers other than the data cache, or without any layer
    private static final Set<String> WITHOUT_DATA = Set.of(
            "cache.enabled",
            "cache.max-memory",
            "cache.control-directory",
            "cache.operators",
            "cache.price-list");
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
            "cache.trace-on-request");

    public IdleLine
    {
        requireNonNull(property, "property is null");
        requireNonNull(reason, "reason is null");
        requireNonNull(fix, "fix is null");
    }

    /** Returns the lines of a catalog that have no effect, by their names in a catalog named {@code hive}. Does not throw, whatever the file contains. */
    public static List<IdleLine> of(CatalogFile catalog)
    {
        return withDefaults(catalog).stream().filter(line -> catalog.value(line.property()).isPresent()).toList();
    }

    /** Returns the properties that have no effect, whether a line sets them or not. Otherwise like {@link #of}. */
    public static List<IdleLine> withDefaults(CatalogFile catalog)
    {
        List<IdleLine> idle = new ArrayList<>(metadata(catalog));
        PropertyChecks.parsed(catalog, read -> read.config(EyrieCacheConfig.class)).ifPresent(cache -> {
            if (!cache.isEnabled()) {
                idle.addAll(cacheOff(catalog));
                return;
            }
            if (PropertyChecks.parsed(catalog, ignored -> cache.engine()).filter(engine -> engine == CacheEngine.ALLUXIO_CLIENT).isPresent()) {
                idle.addAll(alluxiosClient(catalog));
            }
            else {
                idle.addAll(openPartitions(catalog));
            }
            BY_SWITCH.keySet().stream().filter(layer -> !catalog.isOn(layer, true)).forEach(layer -> idle.addAll(of(BY_SWITCH.getOrDefault(layer, List
                    .of()), "the layer is off, because " + layer + " is false", "set " + layer + "=true, or remove the line")));
        });
        return idle;
    }

    private static List<IdleLine> of(Collection<String> properties, String reason, String fix)
    {
        return properties.stream().map(property -> new IdleLine(property, reason, fix)).toList();
    }

    static Stream<String> set(CatalogFile catalog, List<String> properties)
    {
        return properties.stream().filter(property -> catalog.value(property).isPresent());
    }

    /** Whether the catalog has a rule that admits or refuses data. */
    static boolean anyAdmission(CatalogFile catalog)
    {
        return set(catalog, OWN_ENGINE).anyMatch(property -> property.startsWith("cache.admission."));
    }

    private static List<IdleLine> metadata(CatalogFile catalog)
    {
        List<IdleLine> idle = new ArrayList<>();
        if (catalog.millis(METASTORE_TTL) == 0) {
            idle.addAll(of(METASTORE, "no metadata is cached, because " + METASTORE_TTL + " is not set or zero", "set " + METASTORE_TTL
                    + ", for example to 2d, or remove the line"));
        }
        boolean tables = catalog.value(LIST_TABLES).isPresent();
        if (tables && catalog.millis(LIST_TIME) == 0) {
            idle.add(new IdleLine(LIST_TABLES, "no file list is cached, because " + LIST_TIME + " is not set or zero", "set " + LIST_TIME
                    + ", for example to 24h"));
        }
        if (!tables) {
            String reason = "no file list is cached, because " + LIST_TABLES + " names no table";
            String fix = "set " + LIST_TABLES + " to the tables whose directories change only through a metastore";
            idle.addAll(of(LISTS, reason, fix));
            if (catalog.millis(LIST_TIME) > 0) {
                idle.add(new IdleLine(LIST_TIME, reason, fix));
            }
        }
        return idle;
    }

    private static List<IdleLine> openPartitions(CatalogFile catalog)
    {
        return catalog.value(LIST_TABLES).isPresent()
                ? List.of()
                : of(List.of("cache.open-partition-path-pattern", "cache.open-partition-age"), "each query lists every directory, because "
                        + LIST_TABLES
                        + " names no table", "set " + LIST_TABLES + ", or remove the line");
    }

    private static List<IdleLine> cacheOff(CatalogFile catalog)
    {
        String fix = "set cache.enabled=true, or remove the line";
        List<IdleLine> idle = new ArrayList<>(of(LayerProperties.all().stream()
                .filter(property -> property.layer() == Layer.DATA)
                .map(LayerProperty::name)
                .filter(property -> !WITHOUT_DATA.contains(property))
                .toList(), "no data is cached, because cache.enabled is not true", fix));
        BY_SWITCH.forEach((layer, sizes) -> {
            String reason = layer.equals(FRAGMENTS)
                    ? "results are stored in the data cache, and cache.enabled is not true: no result is cached"
                    : "footers need the file versions of the data cache, and cache.enabled is not true: no footer is cached";
            if (catalog.isOn(layer, false)) {
                idle.add(new IdleLine(layer, reason, fix));
            }
            idle.addAll(of(sizes, reason, fix));
        });
        return idle;
    }

    private static List<IdleLine> alluxiosClient(CatalogFile catalog)
    {
        String fix = "remove the line, or set cache.type=EYRIE";
        List<IdleLine> idle = new ArrayList<>(of(OWN_ENGINE, "Alluxio's client (cache.type=ALLUXIO_CLIENT) does not support it: no effect", fix));
        if (catalog.isOn(FRAGMENTS, false)) {
            idle.add(new IdleLine(FRAGMENTS, "results need Eyrie's own engine, and cache.type is ALLUXIO_CLIENT: no result is cached", fix));
        }
        return idle;
    }
}
