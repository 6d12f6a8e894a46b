// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    // credentials, which identify the reader but do not affect a file's content; connections to the store and the metastore; how files are written
    static final Set<String> WITHOUT_BEARING = Set.of(
            "hive.gcs.json-key-file-path",
            "hive.hdfs.presto.keytab",
            "hive.metastore.client.keytab",
            "hive.metastore.glue.aws-access-key",
            "hive.metastore.glue.aws-secret-key",
            "hive.metastore.thrift.client.tls.keystore-password",
            "hive.metastore.thrift.client.tls.keystore-path",
            "hive.metastore.thrift.client.tls.truststore-password",
            "hive.metastore.thrift.client.tls.truststore-path",
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
            "hive.s3.user-agent-prefix");

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
     * Returns all properties of the file except the caches' own settings, credentials, connections, and settings of writes. The result includes a reader's zone, how it
     * finds columns (by name or position), impersonation, and everything else in the file that determines how bytes become rows.
     */
    public Map<String, String> bearingOnResults()
    {
        return properties.entrySet()
                .stream()
                .filter(property -> !property.getKey().startsWith("cache.") && !property.getKey().startsWith("fragment-result-cache.")
                        && !WITHOUT_BEARING.contains(property.getKey()))
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
