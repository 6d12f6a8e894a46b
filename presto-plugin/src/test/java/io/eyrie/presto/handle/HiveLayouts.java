// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.relation.ConstantExpression;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.type.BooleanType.BOOLEAN;

/** Layouts of Presto's Hive connector for tests. */
public final class HiveLayouts
{
    /** A table of one column, with the parameters that every table has. */
    public static final HiveTableLayoutHandle ORDERS = new HiveTableLayoutHandle.Builder()
            .setSchemaTableName(new SchemaTableName("sales", "orders"))
            .setTablePath("s3a://lake/warehouse/sales.db/orders")
            .setPartitionColumns(List.of())
            .setDataColumns(List.of(new Column("a", HiveType.HIVE_LONG, Optional.empty(), Optional.empty())))
            .setTableParameters(Map.of("EXTERNAL", "TRUE", "numRows", "17", "transient_lastDdlTime", "1767225600"))
            .setDomainPredicate(TupleDomain.all())
            .setRemainingPredicate(new ConstantExpression(true, BOOLEAN))
            .setPredicateColumns(Map.of())
            .setPartitionColumnPredicate(TupleDomain.all())
            .setPartitions(Optional.empty())
            .setBucketHandle(Optional.empty())
            .setBucketFilter(Optional.empty())
            .setPushdownFilterEnabled(false)
            .setLayoutString("sales.orders{}")
            .setRequestedColumns(Optional.empty())
            .setPartialAggregationsPushedDown(false)
            .setAppendRowNumberEnabled(false)
            .build();

    private HiveLayouts()
    {}
}
