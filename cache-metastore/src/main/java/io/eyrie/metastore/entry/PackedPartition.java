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

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

/** A partition in little memory: what it has in common with others is shared, and the rest is one array. Immutable. */
final class PackedPartition
{
    /*
     * Array    create time 4, time of the last commit 8, flags 1; if flagged: the version 8, the row id's length 4 and bytes; the location after the prefix;
     *          the value of each parameter. A text is 2 times its length, plus 1 if a character takes two bytes, as a varint, and its characters
     */
    private static final long OBJECT_BYTES = 50; // this object and the array's header
    private static final int VERSIONED = 1;
    private static final int WITH_ROW_ID = 2;
    private static final int TWO_BYTES = 1;
    private static final char MOST_ONE_BYTE = 0xff;
    private static final int VARINT_BITS = 7;
    private static final int MORE = 1 << VARINT_BITS;
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
    private record Template(
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
        write(storage.getLocation().substring(prefix.length()), out);
        partition.getParameters().values().forEach(value -> write(value, out));
        return new PackedPartition(template, own.equals(values) ? values : own, out.toByteArray());
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
        String location = template.locationPrefix + text(packed, in);
        ImmutableMap.Builder<String, String> parameters = ImmutableMap.builderWithExpectedSize(template.parameterNames.size());
        template.parameterNames.forEach(name -> parameters.put(name, text(packed, in)));
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
        return OBJECT_BYTES + packed.length + (template.columns == original.getColumns() ? template.columns.size() * CachedValue.COLUMN_BYTES : 0);
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

    private static void write(String text, ByteArrayDataOutput out)
    {
        boolean wide = text.chars().anyMatch(character -> character > MOST_ONE_BYTE);
        int header = 2 * text.length() + (wide ? TWO_BYTES : 0);
        while (header >= MORE) {
            out.writeByte(header | MORE);
            header >>>= VARINT_BITS;
        }
        out.writeByte(header);
        if (wide) {
            out.writeChars(text);
        }
        else {
            out.write(text.getBytes(ISO_8859_1));
        }
    }

    private static String text(byte[] packed, ByteBuffer in)
    {
        int header = 0;
        int shift = 0;
        byte part = in.get();
        while (part < 0) {
            header |= (part & (MORE - 1)) << shift;
            shift += VARINT_BITS;
            part = in.get();
        }
        header |= part << shift;
        boolean wide = (header & TWO_BYTES) != 0;
        int bytes = header / 2 * (wide ? Character.BYTES : 1);
        int start = in.position();
        in.position(start + bytes);
        if (!wide) {
            return new String(packed, start, bytes, ISO_8859_1);
        }
        return ByteBuffer.wrap(packed, start, bytes).asCharBuffer().toString();
    }

    @SuppressWarnings("unchecked") // equal, so of the same type
    private static <T> T shared(T part)
    {
        return (T) PARTS.intern(part);
    }
}
