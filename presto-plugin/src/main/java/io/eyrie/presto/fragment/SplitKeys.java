// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.type.DoubleType;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveCommonSessionProperties;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.session.PropertyMetadata;
import com.google.common.collect.Maps;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.IdentityWriter;
import io.eyrie.fragment.key.KeyPart;
import io.eyrie.fragment.key.SessionFacts;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.fragment.result.ResultFormat;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.handle.EyrieLayoutHandle;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/** Writes the properties of a Hive split, its layout, the catalog and the session into the keys of fragment results. Thread-safe. */
final class SplitKeys
{
    private static final int VERSION = 6;
    /** Part of the key of facts. A change of how facts are derived from footers or encoded must increase it. */
    private static final int FACTS_VERSION = 4;
    // read by Presto's own readers, which do not receive the table's parameters and Hadoop's configuration, or ignore them
    private static final Set<String> READ_BY_PRESTO = Stream.of(HiveStorageFormat.ORC, HiveStorageFormat.DWRF, HiveStorageFormat.PARQUET)
            .map(format -> serdeAndInput(StorageFormat.fromHiveStorageFormat(format)))
            .collect(Collectors.toUnmodifiableSet());
    // metastores, writers and crawlers update these repeatedly; no serde or input format reads them
    private static final Set<String> STATISTICS = Set.of(
            "numFiles",
            "numFilesErasureCoded",
            "numPartitions",
            "numRows",
            "rawDataSize",
            "totalSize",
            "COLUMN_STATS_ACCURATE",
            "DO_NOT_UPDATE_STATS",
            "STATS_GENERATED",
            "STATS_GENERATED_VIA_STATS_TASK",
            "last_modified_by",
            "last_modified_time",
            "presto_query_id",
            "presto_version",
            "trino_query_id",
            "trino_version",
            "transient_lastDdlTime",
            // Impala
            "impala.computeStatsSnapshotIds",
            "impala.events.catalogServiceId",
            "impala.events.catalogVersion",
            "impala.lastComputeStatsTime",
            // Glue's crawlers
            "averageRecordSize",
            "objectCount",
            "recordCount",
            "sizeKey",
            "UPDATED_BY_CRAWLER");
    // one parameter for the table, and several for each column
    private static final String SPARK_STATISTICS = "spark.sql.statistics.";

    private final CatalogSettings settings;
    private final List<PropertyMetadata<?>> sessionProperties;
    private final String engine;
    private final byte[] resources;

    @Inject
    SplitKeys(
            CatalogSettings settings,
            HiveSessionProperties hive,
            HiveCommonSessionProperties common,
            NodeManager nodes,
            TypeManager types,
            HiveClientConfig config)
    {
        this(
                settings,
                Stream.concat(hive.getSessionProperties().stream(), common.getSessionProperties().stream()).toList(),
                // an engine setting determines whether NaN equals NaN; the class of the engine's double type shows it
                nodes.getCurrentNode().getVersion() + " " + types.getType(DoubleType.DOUBLE.getTypeSignature()).getClass().getName(),
                HadoopResources.read(config.getResourceConfigFiles()));
    }

    /** @param resources the properties that the catalog's Hadoop configuration files contain */
    SplitKeys(CatalogSettings settings, List<PropertyMetadata<?>> sessionProperties, String engine, Map<String, String> resources)
    {
        this.settings = requireNonNull(settings, "settings is null");
        this.sessionProperties = List.copyOf(sessionProperties);
        this.engine = requireNonNull(engine, "engine is null");
        // a hash, because each split's key contains it
        this.resources = new IdentityWriter().map(resources).toHash();
    }

    /** Writes the position and identity of a column, for the leaf's canonical form. */
    static void column(HiveColumnHandle column, IdentityWriter writer)
    {
        writer.text(column.getName())
                .text(column.getHiveType().toString())
                .text(column.getTypeSignature().toString())
                .number(column.getHiveColumnIndex())
                .text(column.getColumnType().name())
                .texts(column.getRequiredSubfields().stream().map(Object::toString).sorted().toList());
    }

    /** Returns the parts that all splits of a scan share. */
    SplitKey.Builder shared(ConnectorSession session, EyrieLayoutHandle layout)
    {
        return SplitKey.builder()
                .with(KeyPart.BUILD, writer -> writer.number(VERSION).number(ResultFormat.VERSION).text(engine))
                // layouts that filter rows themselves are refused
                .with(KeyPart.LAYOUT, writer -> writer.number(layout.isFooterStatsUnreliable() ? 1 : 0))
                .with(KeyPart.TABLE, writer -> writer.texts(layout.getDataColumns().stream().map(SplitKeys::text).toList()))
                .with(KeyPart.READER, writer -> reader(session, writer))
                .with(KeyPart.SESSION, writer -> SessionFacts.write(session.getSqlFunctionProperties(), writer));
    }

    /** Returns all parts except the leaf. Adds the split's parts to {@code shared}. */
    SplitKey of(SplitKey.Builder shared, HiveSplit split, EyrieLayoutHandle layout, FileVersion version, Collection<HiveColumnHandle> used)
    {
        return of(shared, split, layout, version, partitionColumns(used));
    }

    /** Returns the names of the columns whose values are in the key. */
    static Set<String> partitionColumns(Collection<HiveColumnHandle> used)
    {
        return used.stream().filter(HiveColumnHandle::isPartitionKey).map(HiveColumnHandle::getName).collect(Collectors.toSet());
    }

    /** @param partitionColumns the names of the partition columns that the leaf reads */
    SplitKey of(SplitKey.Builder shared, HiveSplit split, EyrieLayoutHandle layout, FileVersion version, Set<String> partitionColumns)
    {
        return shared
                .with(KeyPart.FILE, writer -> writer.file(version))
                .with(KeyPart.RANGE, writer -> writer.number(split.getFileSplit().getStart()).number(split.getFileSplit().getLength()))
                .with(KeyPart.SERDE, writer -> serde(split, layout, writer))
                .with(KeyPart.SCHEMA, writer -> schema(split, writer))
                .with(KeyPart.PARTITION, writer -> partition(split, partitionColumns, writer))
                .with(KeyPart.BUCKET, writer -> bucket(split, layout, writer))
                .build();
    }

    /**
     * Returns the identity of everything on which the opening of a file in the split's partition depends, for any of the table's columns, except the file.
     *
     * @param shared the parts that all splits of the scan share
     */
    BlobKey partition(SplitKey.Builder shared, HiveSplit split, EyrieLayoutHandle layout)
    {
        return FragmentKey.opening(
                shared.copy()
                        .with(KeyPart.FILE, writer -> {})
                        .with(KeyPart.RANGE, writer -> {})
                        .with(KeyPart.BUCKET, writer -> {})
                        // the zone and the user of the session do not matter to readers of columnar files
                        .with(KeyPart.SESSION, writer -> {})
                        .with(KeyPart.SERDE, writer -> serde(split, layout, writer))
                        .with(KeyPart.SCHEMA, writer -> schema(split, writer))
                        .with(KeyPart.PARTITION, writer -> {
                            writer.number(split.getPartitionKeys().size());
                            split.getPartitionKeys().forEach(key -> writer.text(key.getName()).optional(key.getValue()));
                        })
                        .build(),
                writer -> writer.text("file facts").number(FACTS_VERSION));
    }

    private void serde(HiveSplit split, EyrieLayoutHandle layout, IdentityWriter writer)
    {
        Storage storage = split.getStorage();
        boolean byPresto = READ_BY_PRESTO.contains(serdeAndInput(storage.getStorageFormat()));
        writer.text(storage.getStorageFormat().toString())
                .map(storage.getSerdeParameters())
                .map(storage.getParameters())
                .bytes(byPresto ? new byte[0] : resources)
                .map(byPresto
                        ? Map.of()
                        : Maps.filterKeys(layout.getTableParameters(), name -> !STATISTICS.contains(name) && !name.startsWith(SPARK_STATISTICS)));
    }

    private static String serdeAndInput(StorageFormat format)
    {
        return format.getSerDe() + " " + format.getInputFormat();
    }

    private static void schema(HiveSplit split, IdentityWriter writer)
    {
        writer.number(split.getPartitionDataColumnCount())
                .text(split.getTableToPartitionMapping().getTableToPartitionColumns().map(TreeMap::new).map(Object::toString).orElse(""))
                .texts(new TreeMap<>(split.getTableToPartitionMapping().getPartitionSchemaDifference()).entrySet()
                        .stream()
                        .map(entry -> entry.getKey() + " " + text(entry.getValue()))
                        .toList());
    }

    private static String text(Column column)
    {
        return column.getName() + " " + column.getType();
    }

    private static void partition(HiveSplit split, Set<String> names, IdentityWriter writer)
    {
        List<HivePartitionKey> keys = split.getPartitionKeys().stream().filter(key -> names.contains(key.getName())).toList();
        writer.number(keys.size());
        keys.forEach(key -> writer.text(key.getName()).optional(key.getValue()));
    }

    private static void bucket(HiveSplit split, EyrieLayoutHandle layout, IdentityWriter writer)
    {
        writer.number(split.getReadBucketNumber().orElse(-1))
                .number(split.getTableBucketNumber().orElse(-1))
                .number(split.getBucketConversion().map(conversion -> conversion.getBucketColumnHandles().size()).orElse(-1));
        split.getBucketConversion().ifPresent(conversion -> {
            writer.number(conversion.getTableBucketCount()).number(conversion.getPartitionBucketCount());
            conversion.getBucketColumnHandles().forEach(column -> column(column, writer));
        });
        writer.texts(layout.getBucketFilter().map(filter -> filter.getBucketsToKeep().stream().sorted().map(Object::toString).toList()).orElse(List
                .of()));
    }

    private void reader(ConnectorSession session, IdentityWriter writer)
    {
        writer.text(TimeZone.getDefault().getID()).map(settings.bearingOnResults()).number(sessionProperties.size());
        for (PropertyMetadata<?> property : sessionProperties) {
            writer.text(property.getName()).text(String.valueOf(session.getProperty(property.getName(), property.getJavaType())));
        }
    }
}
