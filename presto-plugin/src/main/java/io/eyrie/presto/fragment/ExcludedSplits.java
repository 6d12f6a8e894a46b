// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.hive.BaseHiveColumnHandle;
import com.facebook.presto.hive.HiveBucketing;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.HiveUtil;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.SplitContext;
import com.google.inject.Inject;
import org.joda.time.DateTimeZone;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.hive.HiveSessionProperties.isLegacyTimestampBucketing;
import static java.util.Objects.requireNonNull;

/**
 * Finds splits whose partition or bucket a dynamic filter excludes, as Presto's own page sources do. The engine applies the filter to all other
 * columns, because a dynamic filter belongs to one query, and a fragment result to all queries. Thread-safe.
 */
final class ExcludedSplits
{
    private final TypeManager types;
    private final DateTimeZone zone;

    @Inject
    ExcludedSplits(TypeManager types, HiveClientConfig config)
    {
        this.types = requireNonNull(types, "types is null");
        this.zone = config.getDateTimeZone();
    }

    boolean isExcluded(ConnectorSession session, HiveSplit split, HiveTableLayoutHandle layout, SplitContext context)
    {
        Optional<TupleDomain<ColumnHandle>> filter = context.getDynamicFilterPredicate();
        return filter.isPresent() && (filter.get().isNone() || excludesPartition(filter.get(), split, layout) || excludesBucket(filter.get(), split,
                layout, session));
    }

    private boolean excludesPartition(TupleDomain<ColumnHandle> filter, HiveSplit split, HiveTableLayoutHandle layout)
    {
        List<BaseHiveColumnHandle> columns = layout.getPartitionColumns();
        List<HivePartitionKey> keys = split.getPartitionKeys();
        if (columns.size() != keys.size()) {
            return false;
        }
        Map<ColumnHandle, Domain> domains = filter.getDomains().orElseThrow();
        for (int i = 0; i < keys.size(); i++) {
            HiveColumnHandle column = (HiveColumnHandle) columns.get(i);
            Domain allowed = domains.get(column);
            if (allowed != null && !allowed.includesNullableValue(HiveUtil.parsePartitionValue(keys.get(i), types.getType(column.getTypeSignature()),
                    zone).getValue())) {
                return true;
            }
        }
        return false;
    }

    private static boolean excludesBucket(TupleDomain<ColumnHandle> filter, HiveSplit split, HiveTableLayoutHandle layout, ConnectorSession session)
    {
        return split.getReadBucketNumber().isPresent() && HiveBucketing.getHiveBucketFilter(
                split.getStorage().getBucketProperty(), layout.getDataColumns(), filter, isLegacyTimestampBucketing(session))
                .filter(wanted -> !wanted.getBucketsToKeep().contains(split.getReadBucketNumber().getAsInt()))
                .isPresent();
    }
}
