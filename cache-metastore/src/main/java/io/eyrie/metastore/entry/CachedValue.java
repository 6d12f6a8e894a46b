// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.hive.metastore.Partition;
import com.facebook.presto.hive.metastore.PartitionStatistics;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.Table;
import com.github.benmanes.caffeine.cache.Interner;
import com.google.common.collect.ImmutableMap;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** A cached value, with its version and its estimated size. */
final class CachedValue
{
    private static final long ENTRY_BYTES = 250; // key, Caffeine's node, this object
    private static final long OBJECT_BYTES = 150;
    private static final long TEXT_BYTES = 56;
    private static final long COLUMN_BYTES = 250;
    private static final long COLUMN_STATISTICS_BYTES = 300;
    private static final Interner<Object> PARTS = Interner.newWeakInterner();

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
     * Wraps a value for caching. Partitions share their equal parts with all others.
     *
     * @param version the version that it is cached under
     * @param checkedNanos when the metastore call that returned it began
     */
    static CachedValue of(Object value, Object version, long checkedNanos)
    {
        if (value instanceof Optional<?> answer && answer.orElse(null) instanceof Partition partition) {
            return sharing(partition, version, checkedNanos);
        }
        return new CachedValue(value, version, ENTRY_BYTES + bytes(value), checkedNanos);
    }

    Object value()
    {
        return value;
    }

    Object version()
    {
        return version;
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

    private static CachedValue sharing(Partition partition, Object version, long checkedNanos)
    {
        Storage storage = partition.getStorage();
        List<Column> columns = shared(partition.getColumns());
        ImmutableMap.Builder<String, String> parameters = ImmutableMap.builder();
        partition.getParameters().forEach((name, value) -> parameters.put(shared(name), value));
        Partition kept = new Partition(
                partition.getCatalogName().map(CachedValue::shared),
                shared(partition.getDatabaseName()),
                shared(partition.getTableName()),
                partition.getValues(),
                new Storage(
                        shared(storage.getStorageFormat()),
                        storage.getLocation(),
                        storage.getBucketProperty().map(CachedValue::shared),
                        storage.isSkewed(),
                        shared(storage.getSerdeParameters()),
                        shared(storage.getParameters())),
                columns,
                parameters.build(),
                partition.getPartitionVersion(),
                partition.isEligibleToIgnore(),
                partition.isSealedPartition(),
                partition.getCreateTime(),
                partition.getLastDataCommitTime(),
                partition.getRowIdPartitionComponent());
        long bytes = ENTRY_BYTES + 2 * OBJECT_BYTES + text(storage.getLocation()) + texts(partition.getValues()) + texts(partition.getParameters()
                .values())
                + partition.getParameters().size() * TEXT_BYTES;
        boolean first = columns == partition.getColumns();
        return new CachedValue(Optional.of(kept), version, first ? bytes + columns.size() * COLUMN_BYTES : bytes, checkedNanos);
    }

    @SuppressWarnings("unchecked") // equal, so of the same type
    private static <T> T shared(T part)
    {
        return (T) PARTS.intern(part);
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
