// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.hive.CacheQuotaRequirement;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HivePartitionKey;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.hive.TableToPartitionMapping;
import com.facebook.presto.hive.metastore.Storage;
import com.facebook.presto.hive.metastore.StorageFormat;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.SplitWeight;
import com.facebook.presto.spi.schedule.NodeSelectionStrategy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import static com.facebook.presto.spi.schedule.NodeSelectionStrategy.SOFT_AFFINITY;

/** Creates splits as Presto's Hive connector does. */
public final class HiveSplits
{
    public static final long LENGTH = 1 << 20;

    private HiveSplits()
    {}

    public static HiveSplit soft(String path)
    {
        return of(path, HiveStorageFormat.ORC);
    }

    public static HiveSplit of(String path, HiveStorageFormat format)
    {
        return split(path, format, Map.of(), SOFT_AFFINITY, OptionalInt.empty());
    }

    public static HiveSplit split(String path, NodeSelectionStrategy strategy, OptionalInt bucket)
    {
        return split(path, HiveStorageFormat.ORC, Map.of("custom", "info"), strategy, bucket);
    }

    private static HiveSplit split(
            String path,
            HiveStorageFormat format,
            Map<String, String> custom,
            NodeSelectionStrategy strategy,
            OptionalInt bucket)
    {
        return new HiveSplit(
                new HiveFileSplit(path, 0, LENGTH, LENGTH, 17, Optional.of(new byte[] {1, 2}), custom, 0),
                "schema",
                "table",
                "ds=1",
                Storage.builder().setStorageFormat(StorageFormat.fromHiveStorageFormat(format)).setLocation("s3://lake/table").build(),
                List.of(new HivePartitionKey("ds", Optional.of("1"))),
                List.of(HostAddress.fromString("datanode:50010")),
                bucket,
                bucket,
                strategy,
                3,
                TableToPartitionMapping.empty(),
                Optional.empty(),
                false,
                CacheQuotaRequirement.NO_CACHE_REQUIREMENT,
                Optional.empty(),
                Set.of(),
                SplitWeight.fromProportion(0.5),
                Optional.of(new byte[] {3}));
    }
}
