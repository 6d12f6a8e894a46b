// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.airlift.json.JsonCodecFactory;
import com.facebook.airlift.json.JsonObjectMapperProvider;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import io.eyrie.presto.control.ControlState;
import io.eyrie.presto.control.PackedState;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static org.assertj.core.api.Assertions.assertThat;

/** The size of layouts as the engine writes them. */
class EyrieLayoutHandleTest
{
    // a table of one column, with no more than what every table has
    private static final HiveTableLayoutHandle HIVE = new HiveTableLayoutHandle.Builder()
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

    @Test
    void plainLayoutIsHardlyLargerThanThatOfPresto()
    {
        assertThat(bytes(EyrieLayoutHandle.own(HIVE))).isLessThan(bytes(HIVE) * 6 / 5);
    }

    /* docs/operating.md states the bound */
    @Test
    void commandsOfOperatorsAddNoMoreThanTheirBound()
    {
        String text = "x".repeat(2 * ControlState.MOST_PACKED_BYTES);
        PackedState control = new PackedState("1c2f6f6e-7f1c-4f0f-9d8e-0a5f1c2b3d4e", 1_767_225_600_000L, text);
        int added = bytes(EyrieLayoutHandle.plain(HIVE, Optional.of(control), Optional.empty())) - bytes(EyrieLayoutHandle.own(HIVE));
        assertThat(added).isLessThan((8 << 10) + 200);
    }

    private static int bytes(Object layout)
    {
        JsonObjectMapperProvider mapper = new JsonObjectMapperProvider();
        // the engine's own serializer is not here; a constant takes as many bytes in both layouts
        mapper.setJsonSerializers(Map.of(Block.class, new JsonSerializer<Block>() {
            @Override
            public void serialize(Block block, JsonGenerator generator, SerializerProvider provider)
                    throws IOException
            {
                generator.writeBinary(new byte[(int) block.getSizeInBytes()]);
            }
        }));
        return new JsonCodecFactory(mapper).jsonCodec(Object.class).toJsonBytes(layout).length;
    }
}
