// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import static io.eyrie.presto.config.Layer.ALLUXIO_CLIENT;
import static io.eyrie.presto.config.Layer.DATA;
import static io.eyrie.presto.config.Layer.FILE_LISTS;
import static io.eyrie.presto.config.Layer.FILE_MERGE;
import static io.eyrie.presto.config.Layer.FOOTERS;
import static io.eyrie.presto.config.Layer.FRAGMENT_RESULTS;
import static io.eyrie.presto.config.Layer.METASTORE;
import static io.eyrie.presto.config.Layer.PARTITION_STATISTICS;
import static io.eyrie.presto.config.Layer.PLACEMENT;
import static io.eyrie.presto.config.PropertyType.BOOLEAN;
import static io.eyrie.presto.config.PropertyType.COUNT;
import static io.eyrie.presto.config.PropertyType.DATA_SIZE;
import static io.eyrie.presto.config.PropertyType.DIRECTORIES;
import static io.eyrie.presto.config.PropertyType.DIRECTORY;
import static io.eyrie.presto.config.PropertyType.DURATION;
import static io.eyrie.presto.config.PropertyType.EVICTION_POLICY;
import static io.eyrie.presto.config.PropertyType.FILE;
import static io.eyrie.presto.config.PropertyType.KEY_PLACES;
import static io.eyrie.presto.config.PropertyType.METASTORE_SCOPE;
import static io.eyrie.presto.config.PropertyType.QUOTAS;
import static io.eyrie.presto.config.PropertyType.QUOTA_SCOPE;
import static io.eyrie.presto.config.PropertyType.TABLES;
import static io.eyrie.presto.config.PropertyType.TABLE_PATTERNS;
import static io.eyrie.presto.config.PropertyType.TEXT;

/**
 * The table of the properties that belong to a layer of the cache. The config class of a layer that Eyrie has reads the layer's properties. Properties of other
 * layers are not passed to Presto, because its own caches store entries without a version and return stale rows.
 */
public final class LayerProperties
{
    private static final Map<String, LayerProperty> TABLE = new LinkedHashMap<>();

    static {
        layer(DATA)
                .has(BOOLEAN, "cache.enabled")
                .has(DIRECTORIES, "cache.base-directory")
                .has(TEXT, "cache.type")
                .has(DATA_SIZE, "cache.max-cache-size", "cache.alluxio.max-cache-size", "cache.page-size", "cache.min-free-space",
                        "cache.max-memory", "cache.index-memory", "cache.write-buffer", "cache.fetch-memory", "cache.default-cache-quota",
                        "cache.admission.query-write-budget", "cache.admission.daily-write-budget")
                .has(EVICTION_POLICY, "cache.eviction-policy")
                .has(DURATION, "cache.ttl", "cache.disk-timeout", "cache.file-handles.idle-time",
                        "cache.access-check-interval")
                .has(TEXT, "cache.encryption-key-variable", "cache.price-list", "cache.operators")
                .has(FILE, "cache.encryption-key-file")
                .has(DIRECTORY, "cache.trace-directory", "cache.control-directory")
                .has(KEY_PLACES, "cache.previous-encryption-keys")
                .has(TABLE_PATTERNS, "cache.admission.allow", "cache.admission.deny")
                .has(COUNT, "cache.admission.second-touch-pages", "cache.file-handles.max-idle")
                .has(BOOLEAN, "cache.admission.dry-run", "cache.trace-on-request")
                .has(QUOTAS, "cache.quotas")
                .has(QUOTA_SCOPE, "cache.cache-quota-scope");
        layer(PLACEMENT)
                .has(DURATION, "hive.affinity-scheduling-grace-period", "hive.affinity-scheduling-gather-time")
                .has(COUNT, "hive.affinity-scheduling-small-files-per-node", "hive.affinity-scheduling-unpacked-splits-per-node");
        layer(METASTORE)
                .has(BOOLEAN, "hive.partition-versioning-enabled")
                .has(METASTORE_SCOPE, "hive.metastore-cache-scope")
                .has(DURATION, "hive.metastore-cache-ttl", "hive.metastore-refresh-interval", "cache.metastore.column-statistics-max-age",
                        "cache.metastore.grace")
                .has(DATA_SIZE, "cache.metastore.max-retained-size", "cache.metadata.max-size")
                .has(DIRECTORY, "cache.metadata.directory")
                .has(COUNT, "hive.metastore-cache-maximum-size");
        layer(FILE_LISTS)
                .has(DURATION, "hive.file-status-cache-expire-time", "cache.open-partition-age")
                .has(BOOLEAN, "cache.list-by-prefix")
                .has(TEXT, "cache.open-partition-path-pattern")
                .has(COUNT, "hive.file-status-cache-size")
                .has(DATA_SIZE, "hive.file-status-cache.max-retained-size")
                .has(TABLES, "hive.file-status-cache-tables");
        layer(FRAGMENT_RESULTS)
                .has(BOOLEAN, "fragment-result-cache.enabled", "fragment-result-cache.subsumption-enabled",
                        "fragment-result-cache.input-data-stats-enabled")
                .has(COUNT, "fragment-result-cache.max-cached-entries")
                .has(DIRECTORY, "fragment-result-cache.base-directory")
                .has(DURATION, "fragment-result-cache.cache-ttl", "fragment-result-cache.joined.listing-time")
                .has(DATA_SIZE, "fragment-result-cache.max-in-flight-size", "fragment-result-cache.max-single-pages-size",
                        "fragment-result-cache.max-cache-size", "fragment-result-cache.joined.max-build-size")
                .has(TEXT, "fragment-result-cache.block-encoding-compression-codec", "fragment-result-cache.joined.admission",
                        "cache.file-statistics")
                .has(COUNT, "cache.file-statistics.daily-requests")
                .has(DATA_SIZE, "cache.file-statistics.daily-size");
        layer(PARTITION_STATISTICS)
                .has(BOOLEAN, "hive.partition-statistics-based-optimization-enabled");
        layer(FOOTERS)
                .has(BOOLEAN, "hive.orc.file-tail-cache-enabled", "hive.orc.stripe-metadata-cache-enabled", "hive.orc.row-group-index-cache-enabled",
                        "hive.parquet.metadata-cache-enabled")
                .has(DATA_SIZE, "hive.orc.file-tail-cache-size", "hive.orc.stripe-footer-cache-size", "hive.orc.stripe-stream-cache-size",
                        "hive.orc.row-group-index-cache-size", "hive.parquet.metadata-cache-size")
                .has(DURATION, "hive.orc.file-tail-cache-ttl-since-last-access", "hive.orc.stripe-footer-cache-ttl-since-last-access",
                        "hive.orc.stripe-stream-cache-ttl-since-last-access", "hive.orc.row-group-index-cache-ttl-since-last-access",
                        "hive.parquet.metadata-cache-ttl-since-last-access");
        layer(ALLUXIO_CLIENT)
                .has(BOOLEAN, "cache.validation-enabled", "cache.last-modified-time-check-enabled", "cache.alluxio.metrics-enabled",
                        "cache.alluxio.async-write-enabled", "cache.alluxio.config-validation-enabled", "cache.alluxio.timeout-enabled",
                        "cache.alluxio.quota-enabled", "cache.alluxio.shadow-cache-enabled", "cache.alluxio.ttl-enabled")
                .has(DURATION, "cache.alluxio.timeout-duration", "cache.alluxio.shadow-cache-window", "cache.alluxio.ttl-check-interval",
                        "cache.alluxio.ttl-threshold")
                .has(COUNT, "cache.alluxio.timeout-threads", "cache.alluxio.eviction-retries")
                .has(TEXT, "cache.alluxio.jmx-class", "cache.alluxio.metrics-domain", "cache.alluxio.eviction-policy");
        layer(FILE_MERGE)
                .has(COUNT, "cache.max-cached-entries")
                .has(DATA_SIZE, "cache.max-in-memory-cache-size");
    }

    private LayerProperties()
    {}

    /** Returns the row of a property, by its name in a catalog named {@code hive}. */
    public static Optional<LayerProperty> find(String name)
    {
        return Optional.ofNullable(TABLE.get(name));
    }

    /** Returns the whole table. */
    public static Collection<LayerProperty> all()
    {
        return TABLE.values();
    }

    private static PropertyRows layer(Layer layer)
    {
        return new PropertyRows(layer);
    }

    /** A row of the table. */
    public record LayerProperty(String name, PropertyType type, Layer layer)
    {}

    private record PropertyRows(Layer layer)
    {
        PropertyRows has(PropertyType type, String... names)
        {
            for (String name : names) {
                TABLE.put(name, new LayerProperty(name, type, layer));
            }
            return this;
        }
    }
}
