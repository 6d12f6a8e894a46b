// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.hive.HiveBucketProperty;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.github.benmanes.caffeine.cache.Interner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.eyrie.metastore.stored.PackedText;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** A partition in little memory: what it has in common with others is shared, and the rest is one array. Immutable. */
final class PackedPartition
{
    /*
     * Array    create time 4, time of the last commit 8, flags 1; if flagged: the version 8, the row id's length 4 and bytes; the location after the prefix;
     *          the value of each parameter
     */
    private static final long OBJECT_BYTES = 50; // this object and the array's header
    private static final int VERSIONED = 1;
    private static final int WITH_ROW_ID = 2;
    private static final Interner<Object> PARTS = Interner.newWeakInterner();

    private final Template template;
    private final List<String> values;
    private final byte[] packed;

    private PackedPartition(Template template, List<String> values, byte[] packed)
    {
        this.template = requireNonNull(template, "template is null");
        this.values = requireNonNull(values, "values is null");
        this.packed = requireNonNull(packed, "packed is null");
    }

    /** What many partitions have in common. */
    record Template(
            Optional<String> catalog,
            String database,
            String table,
            StorageFormat format,
            String locationPrefix,
            Optional<HiveBucketProperty> buckets,
            boolean skewed,
            Map<String, String> serdeParameters,
            Map<String, String> storageParameters,
            List<Column> columns,
            List<String> parameterNames,
            boolean eligibleToIgnore,
            boolean sealed)
    {}

    /** @param values shared instead of the partition's own, if they are equal */
    static PackedPartition of(Partition partition, List<String> values)
    {
        Storage storage = partition.getStorage();
        List<String> own = partition.getValues();
        String prefix = prefix(storage.getLocation(), own.size());
        Template template = shared(new Template(
                partition.getCatalogName(),
                partition.getDatabaseName(),
                partition.getTableName(),
                storage.getStorageFormat(),
                prefix,
                storage.getBucketProperty(),
                storage.isSkewed(),
                shared(storage.getSerdeParameters()),
                shared(storage.getParameters()),
                shared(partition.getColumns()),
                shared(ImmutableList.copyOf(partition.getParameters().keySet())),
                partition.isEligibleToIgnore(),
                partition.isSealedPartition()));
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        out.writeInt(partition.getCreateTime());
        out.writeLong(partition.getLastDataCommitTime());
        Optional<byte[]> rowId = partition.getRowIdPartitionComponent();
        out.writeByte((partition.getPartitionVersion().isPresent() ? VERSIONED : 0) | (rowId.isPresent() ? WITH_ROW_ID : 0));
        partition.getPartitionVersion().ifPresent(out::writeLong);
        rowId.ifPresent(bytes -> {
            out.writeInt(bytes.length);
            out.write(bytes);
        });
        PackedText.write(storage.getLocation().substring(prefix.length()), out);
        partition.getParameters().values().forEach(value -> PackedText.write(value, out));
        return new PackedPartition(template, own.equals(values) ? values : own, out.toByteArray());
    }

    /** Returns a stored partition. */
    static PackedPartition stored(Template template, List<String> values, byte[] packed)
    {
        return new PackedPartition(template, values, packed);
    }

    Template template()
    {
        return template;
    }

    List<String> values()
    {
        return values;
    }

    byte[] packed()
    {
        return packed;
    }

    /** Returns an equal partition. */
    Partition unpack()
    {
        ByteBuffer in = ByteBuffer.wrap(packed);
        int createTime = in.getInt();
        long lastCommit = in.getLong();
        byte flags = in.get();
        Optional<Long> version = (flags & VERSIONED) == 0 ? Optional.empty() : Optional.of(in.getLong());
        Optional<byte[]> rowId = Optional.empty();
        if ((flags & WITH_ROW_ID) != 0) {
            byte[] bytes = new byte[in.getInt()];
            in.get(bytes);
            rowId = Optional.of(bytes);
        }
        String location = template.locationPrefix + PackedText.read(in);
        ImmutableMap.Builder<String, String> parameters = ImmutableMap.builderWithExpectedSize(template.parameterNames.size());
        template.parameterNames.forEach(name -> parameters.put(name, PackedText.read(in)));
        return new Partition(
                template.catalog,
                template.database,
                template.table,
                values,
                new Storage(template.format, location, template.buckets, template.skewed, template.serdeParameters, template.storageParameters),
                template.columns,
                parameters.build(),
                version,
                template.eligibleToIgnore,
                template.sealed,
                createTime,
                lastCommit,
                rowId);
    }

    /** Returns the estimated bytes of this object; those of the columns count only for the first partition that has them. */
    long bytes(Partition original)
    {
        return bytes() + (template.columns == original.getColumns() ? template.columns.size() * CachedValue.COLUMN_BYTES : 0);
    }

    /** Returns the estimated bytes of this object without those of the columns. */
    long bytes()
    {
        return OBJECT_BYTES + packed.length;
    }

    /* Returns the location without a directory for each value, if it has as many. */
    private static String prefix(String location, int directories)
    {
        int end = location.length();
        for (int i = 0; i < directories && end > 0; i++) {
            end = location.lastIndexOf('/', end - 1);
        }
        return shared(location.substring(0, Math.max(0, end)));
    }

    @SuppressWarnings("unchecked") // equal, so of the same type
    static <T> T shared(T part)
    {
        return (T) PARTS.intern(part);
    }
}
