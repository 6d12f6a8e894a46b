// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.Table;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** A cached value, with its version and its estimated size. */
final class CachedValue
{
    private static final long ENTRY_BYTES = 250; // key, Caffeine's node, this object
    private static final long OBJECT_BYTES = 150;
    private static final long TEXT_BYTES = 56;
    static final long COLUMN_BYTES = 250;
    private static final long COLUMN_STATISTICS_BYTES = 300;

    private final Object value;
    private final Object version;
    private final long bytes;
    private volatile long checkedNanos;

    private CachedValue(Object value, Object version, long bytes, long checkedNanos)
    {
        this.value = requireNonNull(value, "value is null");
        this.version = requireNonNull(version, "version is null");
        this.bytes = bytes;
        this.checkedNanos = checkedNanos;
    }

    /**
     * Wraps a value for caching.
     *
     * @param version the version that it is cached under
     * @param checkedNanos when the metastore call that returned it began
     */
    static CachedValue of(EntryKey key, Object value, Object version, long checkedNanos)
    {
        Object packed = packed(key, value);
        long bytes = packed instanceof PackedPartition partition && value instanceof Optional<?> answer && answer.orElse(
                null) instanceof Partition original
                        ? partition.bytes(original)
                        : bytes(value);
        return new CachedValue(packed, packed(key, version), ENTRY_BYTES + bytes, checkedNanos);
    }

    /**
     * Wraps a value that was read from the disk.
     *
     * @param packed as {@link #packed()} returned it
     */
    static CachedValue stored(Object packed, Object version, long checkedNanos)
    {
        long bytes = packed instanceof PackedPartition partition ? partition.bytes() : bytes(packed);
        return new CachedValue(packed, version, ENTRY_BYTES + bytes, checkedNanos);
    }

    private static Object packed(EntryKey key, Object value)
    {
        return value instanceof Optional<?> answer && answer.orElse(null) instanceof Partition partition
                ? PackedPartition.of(partition, key.partitionValues())
                : value;
    }

    private static Object unpacked(Object value)
    {
        return value instanceof PackedPartition packed ? Optional.of(packed.unpack()) : value;
    }

    /** Returns the value. A partition is another, equal object at each call. */
    Object value()
    {
        return unpacked(value);
    }

    /** Returns the value as it is cached: a partition packed. */
    Object packed()
    {
        return value;
    }

    /** Returns the version that it is cached under; a partition packed. */
    Object version()
    {
        return version;
    }

    /** Whether it is cached under this version. */
    boolean isOf(Object otherVersion)
    {
        return unpacked(version).equals(otherVersion);
    }

    /** Returns the estimated size without the parts that are shared with others. */
    long bytes()
    {
        return bytes;
    }

    /** Whether a metastore call that began at this time or later returned this value. */
    boolean isCheckedSince(long nanos)
    {
        return checkedNanos - nanos >= 0;
    }

    /** Records that a metastore call that began at this time returned this value again. */
    void checked(long nanos)
    {
        checkedNanos = nanos;
    }

    private static long bytes(Object value)
    {
        if (value instanceof Optional<?> optional) {
            return optional.map(CachedValue::bytes).orElse(0L);
        }
        if (value instanceof String text) {
            return text(text);
        }
        if (value instanceof Collection<?> collection) {
            return collection.stream().mapToLong(CachedValue::bytes).sum();
        }
        if (value instanceof PartitionStatistics statistics) {
            return OBJECT_BYTES + statistics.getColumnStatistics().size() * COLUMN_STATISTICS_BYTES;
        }
        if (value instanceof Table table) {
            return 4 * OBJECT_BYTES + (table.getDataColumns().size() + table.getPartitionColumns().size()) * COLUMN_BYTES + texts(table
                    .getParameters())
                    + texts(table.getStorage().getSerdeParameters()) + table.getViewOriginalText().map(CachedValue::text).orElse(0L);
        }
        return 4 * OBJECT_BYTES;
    }

    private static long texts(Map<String, String> map)
    {
        return texts(map.keySet()) + texts(map.values());
    }

    private static long texts(Collection<String> texts)
    {
        return texts.stream().mapToLong(CachedValue::text).sum();
    }

    private static long text(String text)
    {
        return TEXT_BYTES + text.length();
    }
}
