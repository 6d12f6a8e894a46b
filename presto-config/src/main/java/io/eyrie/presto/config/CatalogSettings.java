// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings in a catalog's file.
 *
 * @param properties the properties of the file as they are passed to the connector
 * @param withoutEffect the properties of layers that Eyrie lacks
 * @param added the lines that Eyrie adds to the file
 */
public record CatalogSettings(Map<String, String> properties, Map<String, String> withoutEffect, List<AddedLine> added)
{
    // credentials, which identify the reader but do not affect a file's content; connections to the store and the metastore; caches of footers, file lists and
    // metadata; placement; bounds of planning; how files are written. A setting that is the default of a session property is not here: the property is in keys
    static final Set<String> WITHOUT_BEARING = Set.of(
            "hive.affinity-scheduling-gather-time",
            "hive.affinity-scheduling-grace-period",
            "hive.affinity-scheduling-small-files-per-node",
            "hive.affinity-scheduling-unpacked-splits-per-node",
            "hive.allow-add-column",
            "hive.allow-add-constraint",
            "hive.allow-drop-column",
            "hive.allow-drop-constraint",
            "hive.allow-drop-table",
            "hive.allow-rename-column",
            "hive.allow-rename-table",
            "hive.dfs-timeout",
            "hive.dfs.connect.max-retries",
            "hive.dfs.connect.timeout",
            "hive.dfs.ipc-ping-interval",
            "hive.file-status-cache-expire-time",
            "hive.file-status-cache-size",
            "hive.file-status-cache.max-retained-size",
            "hive.gcs.json-key-file-path",
            "hive.hdfs.presto.keytab",
            "hive.invalidate-metastore-cache-procedure-enabled",
            "hive.max-concurrent-file-renames",
            "hive.max-concurrent-zero-row-file-creations",
            "hive.max-metadata-updater-threads",
            "hive.max-outstanding-splits",
            "hive.max-outstanding-splits-size",
            "hive.max-partitions-per-scan",
            "hive.max-partitions-per-writers",
            "hive.max-split-iterator-threads",
            "hive.metastore-cache-maximum-size",
            "hive.metastore-cache-scope",
            "hive.metastore-cache-ttl",
            "hive.metastore-refresh-interval",
            "hive.metastore-refresh-max-threads",
            "hive.metastore-timeout",
            "hive.metastore.client.keytab",
            "hive.metastore.glue.aws-access-key",
            "hive.metastore.glue.aws-secret-key",
            "hive.metastore.glue.endpoint-url",
            "hive.metastore.glue.get-partition-threads",
            "hive.metastore.glue.max-connections",
            "hive.metastore.glue.max-error-retries",
            "hive.metastore.glue.partitions-segments",
            "hive.metastore.load-balancing-enabled",
            "hive.metastore.partition-batch-size.max",
            "hive.metastore.partition-batch-size.min",
            "hive.metastore.thrift.client.tls.enabled",
            "hive.metastore.thrift.client.tls.keystore-password",
            "hive.metastore.thrift.client.tls.keystore-path",
            "hive.metastore.thrift.client.tls.truststore-password",
            "hive.metastore.thrift.client.tls.truststore-path",
            "hive.metastore.thrift.delete-files-on-table-drop",
            "hive.metastore.uri",
            "hive.non-managed-table-creates-enabled",
            "hive.non-managed-table-writes-enabled",
            "hive.orc.default-bloom-filter-fpp",
            "hive.orc.file-tail-cache-enabled",
            "hive.orc.file-tail-cache-size",
            "hive.orc.file-tail-cache-ttl-since-last-access",
            "hive.orc.row-group-index-cache-enabled",
            "hive.orc.row-group-index-cache-size",
            "hive.orc.row-group-index-cache-ttl-since-last-access",
            "hive.orc.stripe-footer-cache-size",
            "hive.orc.stripe-footer-cache-ttl-since-last-access",
            "hive.orc.stripe-metadata-cache-enabled",
            "hive.orc.stripe-stream-cache-size",
            "hive.orc.stripe-stream-cache-ttl-since-last-access",
            "hive.orc.writer.add-hostname-to-file-metadata-enabled",
            "hive.orc.writer.dwrf-stripe-cache-mode",
            "hive.orc.writer.max-compression-buffer-size",
            "hive.orc.writer.row-group-max-rows",
            "hive.orc.writer.stream-layout-type",
            "hive.parquet.metadata-cache-enabled",
            "hive.parquet.metadata-cache-size",
            "hive.parquet.metadata-cache-ttl-since-last-access",
            "hive.partition-cache-column-count-limit",
            "hive.partition-cache-validation-percentage",
            "hive.per-transaction-metastore-cache-maximum-size",
            "hive.quick-stats.cache-expiry",
            "hive.quick-stats.max-concurrent-calls",
            "hive.quick-stats.parquet.file-metadata-fetch-timeout",
            "hive.quick-stats.parquet.max-concurrent-calls",
            "hive.quick-stats.reaper-expiry",
            "hive.ranger.service.basic-auth-password",
            "hive.ranger.service.basic-auth-username",
            "hive.s3.aws-access-key",
            "hive.s3.aws-secret-key",
            "hive.s3.connect-timeout",
            "hive.s3.iam-role-session-name",
            "hive.s3.max-backoff-time",
            "hive.s3.max-client-retries",
            "hive.s3.max-connections",
            "hive.s3.max-error-retries",
            "hive.s3.max-retry-time",
            "hive.s3.multipart.min-file-size",
            "hive.s3.multipart.min-part-size",
            "hive.s3.pin-client-to-current-region",
            "hive.s3.socket-timeout",
            "hive.s3.sse.enabled",
            "hive.s3.sse.kms-key-id",
            "hive.s3.sse.type",
            "hive.s3.ssl.enabled",
            "hive.s3.staging-directory",
            "hive.s3.storage-class",
            "hive.s3.upload-acl-type",
            "hive.s3.user-agent-prefix",
            "hive.s3select-pushdown.max-connections",
            "hive.skip-deletion-for-alter",
            "hive.skip-target-cleanup-on-rollback",
            "hive.split-loader-concurrency",
            "hive.undo-metastore-operations-enabled",
            "hive.write-validation-threads",
            "max-open-sort-files",
            "writer-sort-buffer-size");

    // properties of footers begin with the catalog's name (CatalogProperties)
    private static final Pattern OF_CATALOG = Pattern.compile("^[^.]+(?=\\.(orc|parquet)\\.)");
    // with others of these, the same metastore returns other objects under the same names; its address is missing, because the metastore may move
    private static final Set<String> SELECTING_METADATA = Set.of(
            "hive.metastore",
            "hive.metastore-recording-path",
            "hive.metastore.catalog.dir",
            "hive.metastore.catalog.name",
            "hive.metastore.client.principal",
            "hive.metastore.username",
            "hive.replay-metastore-recording");

    public CatalogSettings
    {
        properties = Map.copyOf(properties);
        withoutEffect = Map.copyOf(withoutEffect);
        added = List.copyOf(added);
    }

    /** Creates the settings of a file that Eyrie adds no line to. */
    public CatalogSettings(Map<String, String> properties, Map<String, String> withoutEffect)
    {
        this(properties, withoutEffect, List.of());
    }

    /** Returns all properties of the connector: those of the file and the added ones. */
    public Map<String, String> forConnector()
    {
        Map<String, String> all = new HashMap<>(properties);
        added.forEach(line -> all.put(line.property(), line.value()));
        return Map.copyOf(all);
    }

    /**
     * Returns all properties of the file except those that change neither a row of a split nor an error of reading it: {@code cache.*},
     * {@code fragment-result-cache.*}, and those of {@code WITHOUT_BEARING}. The result includes a reader's zone, how it finds columns (by name or position), impersonation, and everything else in the file that
     * determines how bytes become rows; also every property whose effect on them is not certain.
     */
    public Map<String, String> bearingOnResults()
    {
        return properties.entrySet()
                .stream()
                .filter(property -> !property.getKey().startsWith("cache.") && !property.getKey().startsWith("fragment-result-cache.")
                        && !WITHOUT_BEARING.contains(OF_CATALOG.matcher(property.getKey()).replaceFirst("hive")))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Returns the properties of the file that select the objects that a metastore returns: the kind of metastore, its catalog or directory, the name under which the
     * coordinator asks, and whether a recording answers. Metadata that was stored with other values belongs to other objects.
     */
    public Map<String, String> selectingMetadata()
    {
        return properties.entrySet()
                .stream()
                .filter(property -> SELECTING_METADATA.contains(property.getKey()))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
